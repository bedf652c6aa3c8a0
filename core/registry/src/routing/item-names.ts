import type { StoredItem } from './item-store.js'

/**
 * Names of both parties. A receiver's own name is told once they have acted: otherwise an item sent to any IIN would tell
 * whose it is.
 */
export function namesIn(item: StoredItem, names: ReadonlyMap<string, string>) {
  const { sender, receiver } = item
  const [senderName, receiverName] = [names.get(sender), names.get(receiver)]
  return {
    ...(senderName !== undefined && { senderName }),
    ...(receiverName !== undefined && (hasActed(item) || receiver.startsWith('BIN')) && { receiverName }),
  }
}

/** Whether the receiver of an item has opened, decided or commented it, as far as comments are at hand. */
export const hasActed = (
  { openedAt, status, receiver }: StoredItem,
  comments: readonly { readonly author: string }[] = [],
): boolean =>
  openedAt !== undefined ||
  status === 'accepted' ||
  status === 'denied' ||
  comments.some(({ author }) => author === receiver)
