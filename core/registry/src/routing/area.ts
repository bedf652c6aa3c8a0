import { CompletionListener, RoutedItems, Sending } from '../documents/index.js'
import { provideLimits } from '../kernel/limits.js'
import { area } from '../kernel/part.js'
import { provide } from '../kernel/service.js'
import { LoggedFacts } from '../log/index.js'
import { PackageCompletionListener } from '../packages/index.js'
import { CommentItem } from './comment-item.js'
import { CommentStore } from './comments.js'
import { routingErrors } from './errors.js'
import { ItemReader } from './item-reader.js'
import { ItemSigning } from './item-signing.js'
import { FindRoutedItems, ItemStore } from './item-store.js'
import { RoutingLimits } from './limits.js'
import { LoggedItems } from './logged-items.js'
import * as routing from './migrations/0008-routing.js'
import * as itemRequests from './migrations/0171-item-requests.js'
import * as itemRecalls from './migrations/0172-item-recalls.js'
import * as itemsInTime from './migrations/0174-items-in-time.js'
import { MoveItems, SendItems } from './move-items.js'
import * as operations from './operations.js'
import { SearchItems } from './search-items.js'
import { ThreadItems } from './thread-items.js'
import { ThreadSigners } from './thread-signers.js'
import { ThreadViewers } from './thread-viewer.js'
import { Threads } from './threads.js'
import { DeliverOnCompletion, FailOverdueItems } from './waiting-items.js'

export const routingArea = area({
  name: 'routing',
  errors: [routingErrors],
  migrations: {
    '0008-routing': routing,
    '0171-item-requests': itemRequests,
    '0172-item-recalls': itemRecalls,
    '0174-items-in-time': itemsInTime,
  },
  services: [
    ItemStore,
    CommentStore,
    MoveItems,
    ItemSigning,
    SearchItems,
    ItemReader,
    CommentItem,
    ThreadItems,
    ThreadSigners,
    ThreadViewers,
    Threads,
  ],
  provides: [
    provideLimits(RoutingLimits),
    provide(Sending, SendItems),
    provide(RoutedItems, FindRoutedItems),
    provide(LoggedFacts, LoggedItems),
    provide(CompletionListener, DeliverOnCompletion),
    provide(PackageCompletionListener, DeliverOnCompletion),
  ],
  operations: Object.values(operations),
  tasks: [FailOverdueItems],
})
