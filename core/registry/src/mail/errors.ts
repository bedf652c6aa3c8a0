import { defineErrors } from '../kernel/error.js'

export const mailErrors = defineErrors({
  mailNotAvailable: {
    kind: 'unavailable',
    message: 'E-mail notifications are not available',
    ru: 'Уведомления по электронной почте недоступны',
    kk: 'Электрондық пошта арқылы хабарлау қолжетімсіз',
    description: 'This installation sends no mail.',
  },
  mailAddressNotFound: {
    kind: 'absent',
    message: 'E-mail address not found in your settings',
    ru: 'Адреса электронной почты нет в ваших настройках',
    kk: 'Электрондық пошта мекенжайы баптауларыңызда жоқ',
    description: 'Mail can be allowed again only to an address in your own settings or in those of your organization.',
  },
  mailServerTakesNothing: {
    kind: 'unavailable',
    message: 'E-mail notifications could not be sent: the mail server does not take them',
    ru: 'Уведомления по электронной почте не удалось отправить: почтовый сервер их не принимает',
    kk: 'Электрондық пошта арқылы хабарламаларды жіберу мүмкін болмады: пошта сервері оларды қабылдамайды',
    description:
      'Told in emailNotifications.message: within the last minute the mail server did not answer, or refused every mail. They are tried again for two days; the record of the mails says what became of them.',
  },
})
