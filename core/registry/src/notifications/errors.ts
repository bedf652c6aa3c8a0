import { defineErrors } from '../kernel/error.js'

export const notificationErrors = defineErrors({
  invalidNotificationEmail: {
    kind: 'invalid',
    message: 'One of the provided notification email addresses is in invalid format',
    ru: 'Один из указанных адресов электронной почты имеет некорректный формат',
    kk: 'Көрсетілген электрондық пошта мекенжайларының бірінің пішімі дұрыс емес',
    description: 'Each address is one mailbox such as name@example.kz, without a display name.',
  },
  mailLimitReached: {
    kind: 'tooMany',
    message: 'E-mail notification limit reached',
    ru: 'Достигнуто ограничение количества уведомлений по электронной почте',
    kk: 'Электрондық пошта арқылы хабарламалар санының шегіне жетті',
    description:
      'Too many e-mails were asked for within an hour, or, with `newAddresses` in details, too many to addresses that the signer or caller has not written to before; details tell the limit. Nothing was stored: repeat after the seconds of the Retry-After header, to fewer new addresses, or without asking for e-mail.',
  },
})
