import { isProblem } from '@signed-registry/client'
import { client, failureText } from './api.js'
import type { Mailing, SentObject, SentState } from './mailing.js'
import type { ListedRecipient } from './recipients-file.js'
import { askAgain, patiently } from './retry.js'

/** What the registry is asked to send to a recipient. */
export const sendRequest = ({ to = '', comment, deadline }: ListedRecipient, toSign: boolean) => ({
  to,
  ...(comment && { comment }),
  ...(toSign && { toSign }),
  ...(deadline && { deadline }),
})

/** Sends one object to one recipient; what may pass is repeated by itself for a while, and then when the person asks. */
export async function sendOne(
  { key, toSign }: Mailing,
  recipient: ListedRecipient,
  { kind, id }: SentObject,
  place: string,
  progress: HTMLElement,
  isStopped: () => boolean,
): Promise<SentState> {
  const request = sendRequest(recipient, toSign)
  const once = { idempotencyKey: `${key}-${place}` }
  const ask = () =>
    kind === 'package'
      ? client.sendPackage({ packageId: id, request }, once)
      : client.sendDocument({ id, request }, once)
  try {
    const { outgoingId } = await askAgain(progress, () => patiently(ask, isStopped))
    return { state: 'sent', outgoingId }
  } catch (error) {
    if (isProblem(error, 'alreadySent')) return { state: 'already' }
    return { state: 'refused', why: await failureText(error) }
  }
}
