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
    description: 'Only an address in your own settings, or in those of your organization, can be let have mail again.',
  },
  originalNotAttached: {
    kind: 'unavailable',
    message: 'The original could not be attached to e-mail notifications',
    ru: 'Подлинник не удалось приложить к уведомлениям по электронной почте',
    kk: 'Түпнұсқаны электрондық пошта хабарламаларына тіркеу мүмкін болмады',
    description:
      'Told in emailNotifications.message: the mails go out without the original, which the store did not take.',
  },
})
