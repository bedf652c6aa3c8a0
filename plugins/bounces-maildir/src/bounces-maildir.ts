import { constants } from 'node:fs'
import { access, open, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { Check, DeliveryReports, definePlugin, type Finding, provideValue } from '@signed-registry/core'
import { type Static, Type } from 'typebox'

/** Options of `bouncesMaildir`. */
export const BouncesMaildirOptions = Type.Object(
  { folder: Type.String({ minLength: 1, description: 'a Maildir: it has the folders new and cur' }) },
  { additionalProperties: false },
)
export type BouncesMaildirOptions = Static<typeof BouncesMaildirOptions>

/** Only the beginning of a longer message is read. */
const MAX_MESSAGE_BYTES = 1024 * 1024
const AT_ONCE = 1000

/** Plugin: delivery status notifications from the Maildir to which the mail server delivers the return path. */
export const bouncesMaildir = definePlugin({
  name: 'bounces-maildir',
  options: BouncesMaildirOptions,
  parts: ({ folder }) => ({
    provides: [
      provideValue(DeliveryReports, new MaildirReports(folder)),
      // Reports wait in the Maildir, and one of the hosts reads them.
      provideValue(Check, { name: 'bounces', isRequired: false, check: () => checkMaildir(folder) }),
    ],
  }),
})

async function checkMaildir(folder: string): Promise<Finding> {
  const { R_OK, W_OK, X_OK } = constants
  try {
    await access(`${join(folder, 'new')}/`, R_OK | W_OK | X_OK)
    await access(`${join(folder, 'cur')}/`, W_OK | X_OK)
    return { state: 'ok', text: `${folder} can be read` }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return {
      state: 'fail',
      text: `${why}; give the user of the host all rights to the folders new and cur of a Maildir`,
    }
  }
}

/** Reads each message of a Maildir, and then moves it from `new` to `cur` as seen. */
export class MaildirReports implements DeliveryReports {
  constructor(private readonly folder: string) {}

  async read(take: (message: Uint8Array) => Promise<void>): Promise<void> {
    const come = join(this.folder, 'new')
    const names = (await readdir(come)).filter((name) => !name.startsWith('.')).sort()
    for (const name of names.slice(0, AT_ONCE)) {
      await take(await beginningOf(join(come, name)))
      await rename(join(come, name), join(this.folder, 'cur', `${name.replace(/:2,.*$/, '')}:2,S`))
    }
  }
}

async function beginningOf(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_MESSAGE_BYTES), 0, MAX_MESSAGE_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
