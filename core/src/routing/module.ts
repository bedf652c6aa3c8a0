import { ContainerModule } from 'inversify'
import { CompletionListener, RoutedItems, Sending } from '../documents/index.js'
import { ScheduledTask } from '../kernel/schedule.js'
import { provide } from '../kernel/token.js'
import { PackageCompletionListener } from '../packages/index.js'
import { CommentIncoming } from './comment-incoming.js'
import { CommentOutgoing } from './comment-outgoing.js'
import { CommentStore } from './comment-store.js'
import { DeliverOnCompletion } from './deliver-on-completion.js'
import { FailOverdueItems } from './fail-overdue-items.js'
import { FindItem } from './find-item.js'
import { FindRoutedItems } from './find-routed-items.js'
import { GetIncoming } from './get-incoming.js'
import { GetOutgoing } from './get-outgoing.js'
import { ItemLists } from './item-lists.js'
import { ItemStore } from './item-store.js'
import { ListIncoming } from './list-incoming.js'
import { ListOutgoing } from './list-outgoing.js'
import { MoveItems } from './move-items.js'
import { PageItems } from './page-items.js'
import { Parties } from './parties.js'
import { SendDocument } from './send-document.js'
import { SendItems } from './send-items.js'
import { SendPackage } from './send-package.js'
import { ShowItems } from './show-items.js'

export const routingModule = new ContainerModule(({ bind }) => {
  provide(bind, ItemStore, ItemStore)
  provide(bind, CommentStore, CommentStore)
  provide(bind, ItemLists, ItemLists)
  provide(bind, Parties, Parties)
  provide(bind, MoveItems, MoveItems)
  provide(bind, FindItem, FindItem)
  provide(bind, PageItems, PageItems)
  provide(bind, ShowItems, ShowItems)
  provide(bind, Sending, SendItems)
  provide(bind, RoutedItems, FindRoutedItems)
  provide(bind, CompletionListener, DeliverOnCompletion)
  provide(bind, PackageCompletionListener, DeliverOnCompletion)
  provide(bind, FailOverdueItems, FailOverdueItems)
  bind(ScheduledTask).toService(FailOverdueItems)
  provide(bind, SendDocument, SendDocument)
  provide(bind, SendPackage, SendPackage)
  provide(bind, ListIncoming, ListIncoming)
  provide(bind, ListOutgoing, ListOutgoing)
  provide(bind, GetIncoming, GetIncoming)
  provide(bind, GetOutgoing, GetOutgoing)
  provide(bind, CommentIncoming, CommentIncoming)
  provide(bind, CommentOutgoing, CommentOutgoing)
})
