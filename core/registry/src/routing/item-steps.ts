import type { ThreadItem } from './thread-items.js'
import type { ThreadNames } from './thread-names.js'
import type { ThreadStep } from './thread-schema.js'
import type { ThreadViewer } from './thread-viewer.js'

/** The steps of an item, as far as the viewer may know of them: a stranger is told when something happened. */
export function itemSteps(
  { item, side, comments }: ThreadItem,
  viewer: ThreadViewer,
  names: ThreadNames,
): ThreadStep[] {
  const { sender, receiver, sentAt, deliveredAt, openedAt, remindedAt, failure, failedAt = sentAt } = item
  const isTold = viewer.isParty || side !== undefined
  const ids = idsFor(side, item.id)
  const step = (at: number | undefined, kind: ThreadStep['kind'], from?: string, value?: string): ThreadStep[] => {
    if (at === undefined) return []
    const text = side === undefined || value === undefined ? {} : { value }
    return [{ at, kind, ...(isTold && from !== undefined && names.from(from, side)), ...ids, ...text }]
  }
  const [first, ...others] = comments
  const isSent = first?.storedAt === sentAt && first.author === sender && first.status === undefined
  const sent = step(sentAt, 'sent', sender, isSent ? first.value : undefined)
  return [
    ...sent.map((one) => ({ ...one, ...(isTold && names.to(receiver, side)) })),
    ...step(deliveredAt, 'delivered', receiver),
    ...(isSent ? others : comments).flatMap(({ storedAt, author, status, value }) =>
      step(storedAt, status ?? 'commented', author, value),
    ),
    ...step(openedAt, 'opened', receiver),
    ...step(remindedAt, 'reminded', sender),
    ...(failure === 'recalled' ? step(failedAt, 'recalled', sender) : []),
    ...(failure === 'notCompletedInTime' ? step(failedAt, 'failed') : []),
  ]
}

function idsFor(side: ThreadItem['side'], id: string): Pick<ThreadStep, 'incomingId' | 'outgoingId'> {
  if (side === undefined) return {}
  return side === 'sender' ? { outgoingId: id } : { incomingId: id }
}
