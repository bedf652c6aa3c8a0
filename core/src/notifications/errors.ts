import { defineErrors } from '../kernel/error.js'

export const notificationErrors = defineErrors({
  invalidNotificationEmail: {
    kind: 'invalid',
    message: 'One of the provided notification email addresses is in invalid format',
    ru: 'Один из указанных адресов электронной почты имеет некорректный формат',
    kk: 'Көрсетілген электрондық пошта мекенжайларының бірінің пішімі дұрыс емес',
    description: 'Each address is one mailbox such as name@example.kz, without a display name.',
  },
})
