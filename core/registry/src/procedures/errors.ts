import { defineErrors } from '../kernel/error.js'

export const procedureErrors = defineErrors({
  qrNotActive: {
    kind: 'absent',
    message: 'QR signing operation is not active',
    ru: 'Операция подписания по QR не активна',
    kk: 'QR арқылы қол қою операциясы белсенді емес',
    description: 'The address belongs to no procedure, or its time is over. Start another one.',
  },
  qrInvalidState: {
    kind: 'conflict',
    message: 'Invalid QR signing state',
    ru: 'Недопустимое состояние подписания по QR',
    kk: 'QR арқылы қол қоюдың күйі жарамсыз',
    description:
      'This step does not belong to the present state of the procedure, such as signatures before the documents were taken, or anything after its end. Details name the status.',
  },
  qrTaken: {
    kind: 'conflict',
    message: 'QR code or link has already been used',
    ru: 'QR-код или ссылка уже использованы',
    kk: 'QR-код немесе сілтеме бұрын пайдаланылған',
    description:
      'A code or a link is usable once: another phone has followed it. Whoever shows it starts another procedure; details name the status of this one.',
  },
  qrTimeout: {
    kind: 'conflict',
    message: 'QR signing operation timeout',
    ru: 'Истекло время ожидания подписания по QR',
    kk: 'QR арқылы қол қоюды күту уақыты өтті',
    description: 'Nobody signed before the procedure expired. Start another one.',
  },
  qrOtherEndpoint: {
    kind: 'conflict',
    message: 'Other endpoint connected',
    ru: 'Подключился другой клиент',
    kk: 'Басқа клиент қосылды',
    description: 'A later request took the place of this one: of several only the last is answered.',
  },
  qrTooMany: {
    kind: 'tooMany',
    message: 'Too much users use QR signing',
    ru: 'Слишком много пользователей используют подписание по QR',
    kk: 'QR арқылы қол қоюды тым көп пайдаланушы қолдануда',
    description: 'Too many procedures are open at once; repeat in a few minutes.',
  },
  appExchangeFailed: {
    kind: 'unacceptable',
    message: 'eGov mobile data exchange failed',
    ru: 'Ошибка обмена данными с eGov Mobile',
    kk: 'eGov Mobile-мен дерек алмасу қатесі',
    description:
      'The mobile application returned something other than signatures of the documents that it was given, in their order; details name the reason.',
  },
  appNotAuthorized: {
    kind: 'unauthenticated',
    message: 'Mobile application is not authorized',
    ru: 'Мобильное приложение не авторизовано',
    kk: 'Мобильді қолданба авторизацияланбаған',
    description:
      'The token or the signed login does not belong to this procedure, or is too old; details name the reason.',
  },
  operationExpired: {
    kind: 'conflict',
    message: 'eGov signing operation expired',
    ru: 'Время операции подписания eGov истекло',
    kk: 'eGov қол қою операциясының мерзімі өтті',
    description: 'Nobody signed before the procedure expired. Start another one.',
  },
  operationNotFound: {
    kind: 'absent',
    message: 'Signing operation not found',
    ru: 'Операция подписания не найдена',
    kk: 'Қол қою операциясы табылмады',
    description: 'The document or package has no signing procedure with this operationId.',
  },
  dataNotStored: {
    kind: 'conflict',
    message: 'Signed data is not stored',
    ru: 'Подписанные данные не сохранены',
    kk: 'Қол қойылған деректер сақталмаған',
    description:
      'The original is neither archived nor in temporary storage. Register the document with forceArchive or tempStorageAfterRegistration, or archive the original by POST /api/{id}/verify; a signing procedure also takes it with the request and tempStorage: true, and keeps it for itself alone.',
  },
  originalsTooLarge: {
    kind: 'tooLarge',
    message: 'Documents are too large for the mobile application',
    ru: 'Документы слишком велики для мобильного приложения',
    kk: 'Құжаттар мобильді қолданба үшін тым үлкен',
    description:
      'The originals of one procedure together are larger than the mobile application is given; details name the limit.',
  },
  otherSigner: {
    kind: 'unacceptable',
    message: 'Signed by another person than asked for',
    ru: 'Подписано не тем лицом, от которого ожидалась подпись',
    kk: 'Қолтаңба күтілген тұлғанікі емес',
    description: 'The procedure asks for the signature of one person, and another one signed.',
  },
})
