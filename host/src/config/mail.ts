import { join } from 'node:path'
import type { MailBudgets } from '@signed-registry/core'
import type { DkimKey } from './dkim-key.js'
import { type Environment, items } from './environment.js'

/** How mails leave. */
export type Mail =
  | { readonly kind: 'files'; readonly folder: string; readonly from: string }
  | {
      readonly kind: 'smtp'
      readonly url: string
      readonly from: string
      readonly returnPath: string | undefined
      /** 0 for as many as the server takes. */
      readonly perSecond: number
      readonly dkim: DkimKey | undefined
    }

/** By SMTP where an address is given, else into files. */
export function mailOf({ SMTP_URL: url, MAIL_FROM, DATA_DIR, ...env }: Environment, dkim: DkimKey | undefined): Mail {
  const from = MAIL_FROM ?? 'registry@localhost'
  if (url === undefined) return { kind: 'files', folder: join(DATA_DIR, 'mail'), from }
  return { kind: 'smtp', url, from, returnPath: env.MAIL_RETURN_PATH, perSecond: env.MAIL_PER_SECOND, dkim }
}

/** `BIN=mails, BIN=mails`. */
export const mailBudgetsOf = (text: string | undefined): MailBudgets =>
  Object.fromEntries(
    items(text).map((item) => {
      const [bin = '', mails] = item.split('=')
      return [bin, Number(mails)]
    }),
  )
