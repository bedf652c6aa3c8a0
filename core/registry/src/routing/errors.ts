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
  invalidDeadline: {
    kind: 'invalid',
    message: 'Invalid deadline',
    ru: 'Некорректный срок',
    kk: 'Мерзім дұрыс емес',
    description: 'A deadline is in the future, in milliseconds, and at most a year away.',
  },
  deadlinePassed: {
    kind: 'conflict',
    message: 'The deadline has passed',
    ru: 'Срок истёк',
    kk: 'Мерзімі өтіп кетті',
    description:
      'It can still be denied and commented, but is neither accepted nor reminded of; the sender can recall it and send it again.',
  },
  reminderNotPossible: {
    kind: 'conflict',
    message: 'Only an item that is new can be reminded of',
    ru: 'Напомнить можно только о новом отправлении',
    kk: 'Тек жаңа жөнелтілім туралы еске салуға болады',
    description: 'The item is not delivered yet, or it is accepted, denied or recalled.',
  },
  remindersLimitReached: {
    kind: 'conflict',
    message: 'Reminders limit reached',
    ru: 'Достигнут предел количества напоминаний',
    kk: 'Еске салулар санының шегіне жетті',
    description: 'The receiver was reminded of the item as often as can be.',
  },
  remindedTooSoon: {
    kind: 'conflict',
    message: 'It is too soon to remind',
    ru: 'Напоминать ещё рано',
    kk: 'Еске салуға әлі ерте',
    description: 'Details say after how many seconds the receiver can be reminded: `retryAfter`.',
  },
  canNotBeRecalled: {
    kind: 'conflict',
    message: 'The item can not be recalled',
    ru: 'Отправление нельзя отозвать',
    kk: 'Жөнелтілімді қайтарып алу мүмкін емес',
    description:
      'An item can be recalled before it is accepted or denied; the same document or package three times from one receiver.',
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
