import { Check, definePlugin, Mailer, provideValue } from '@signed-registry/core'
import { type Static, Type } from 'typebox'
import { FolderMailer } from './folder-mailer.js'

/** Options of `mailerFiles`. */
export const MailerFilesOptions = Type.Object(
  {
    folder: Type.String({ minLength: 1, description: 'made when the first mail is written' }),
    /** Who sends: an address, or `Name <address>`. */
    from: Type.String({ pattern: '^[^\\r\\n]*@[^\\r\\n]+$' }),
  },
  { additionalProperties: false },
)
export type MailerFilesOptions = Static<typeof MailerFilesOptions>

/** Plugin: writes mails into a folder, for looking at them where there is no mail server. */
export const mailerFiles = definePlugin({
  name: 'mailer-files',
  options: MailerFilesOptions,
  parts: ({ folder, from }) => ({
    provides: [
      provideValue(Mailer, new FolderMailer(folder, from)),
      provideValue(Check, {
        name: 'mail',
        isRequired: false,
        check: async () => ({ state: 'warn', text: `written to ${folder} and not sent: name a mail server` }),
      }),
    ],
  }),
})
