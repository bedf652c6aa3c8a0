import { defineErrors } from '../kernel/error.js'

export const routingErrors = defineErrors({
  invalidReceiver: {
    kind: 'invalid',
    message: 'Invalid receiver',
    ru: 'Некорректный получатель',
    kk: 'Алушы дұрыс емес',
    description: 'A receiver is IIN or BIN and 12 digits, and is not the sender.',
  },
  alreadySent: {
    kind: 'conflict',
    message: 'Already sent to this receiver',
    ru: 'Уже отправлено этому получателю',
    kk: 'Бұл алушыға жіберіліп қойған',
    description: 'It can be sent again once the earlier item is accepted or denied, or has failed.',
  },
  tooManyWaitingItems: {
    kind: 'conflict',
    message: 'Too many items wait to be delivered',
    ru: 'Слишком много отправлений ожидают доставки',
    kk: 'Жеткізілуін күткен жөнелтілімдер тым көп',
    description: 'Fix the hashes of every document first: what waits is delivered then, and more can be sent.',
  },
  itemNotFound: {
    kind: 'absent',
    message: 'Incoming or outgoing item not found',
    ru: 'Входящее или исходящее отправление не найдено',
    kk: 'Кіріс немесе шығыс жөнелтілім табылмады',
    description: 'No item has this identifier, or it is not delivered yet.',
  },
  commentOrStatusRequired: {
    kind: 'invalid',
    message: 'Comment or status is required',
    ru: 'Требуется комментарий или статус',
    kk: 'Түсініктеме немесе мәртебе қажет',
    description: 'Under an incoming item give a status, a comment that is not blank, or both; else a comment.',
  },
  statusCanNotBeChanged: {
    kind: 'conflict',
    message: 'Status can not be changed',
    ru: 'Статус нельзя изменить',
    kk: 'Мәртебені өзгерту мүмкін емес',
    description: 'An incoming item is accepted or denied once, while it is new.',
  },
  commentsClosed: {
    kind: 'conflict',
    message: 'Comments are closed',
    ru: 'Комментарии закрыты',
    kk: 'Түсініктемелер жабық',
    description: 'An item can be commented while it is new: after delivery, and before it is accepted or denied.',
  },
  commentsLimitReached: {
    kind: 'conflict',
    message: 'Comments limit reached',
    ru: 'Достигнут предел количества комментариев',
    kk: 'Түсініктемелер санының шегіне жетті',
    description: 'The item has as many comments as it can; the receiver can still accept or deny it.',
  },
})
