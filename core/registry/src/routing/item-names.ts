import type { StoredItem } from './item-store.js'

/**
 * Names of both parties. A receiver's own name is told once they have acted: otherwise an item sent to any IIN would tell
 * whose it is.
 */
export function namesIn({ sender, receiver, status, openedAt }: StoredItem, names: ReadonlyMap<string, string>) {
  const [senderName, receiverName] = [names.get(sender), names.get(receiver)]
  const hasActed = openedAt !== undefined || status === 'accepted' || status === 'denied'
  return {
    ...(senderName !== undefined && { senderName }),
    ...(receiverName !== undefined && (hasActed || receiver.startsWith('BIN')) && { receiverName }),
  }
}
