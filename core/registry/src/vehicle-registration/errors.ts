import { defineErrors } from '../kernel/error.js'

export const vehicleErrors = defineErrors({
  invalidIntegrationParameters: {
    kind: 'invalid',
    message: 'Invalid integration parameters',
    ru: 'Некорректные параметры интеграции',
    kk: 'Интеграция параметрлері дұрыс емес',
    description:
      'documentTypeCode and signers take what GET /api/strings lists under consts.integrationRegisterAutoDocumentTypes and consts.integrationRegisterAutoSigners; details.field is the wrong one.',
  },
  integrationAlreadySet: {
    kind: 'conflict',
    message: 'Integration parameters are already set',
    ru: 'Параметры интеграции уже заданы',
    kk: 'Интеграция параметрлері бұрыннан орнатылған',
    description: 'They are set once, at registration or later, and never change.',
  },
  integrationNotFound: {
    kind: 'absent',
    message: 'Integration parameters are not set',
    ru: 'Параметры интеграции не заданы',
    kk: 'Интеграция параметрлері орнатылмаған',
    description: 'POST /api/{id}/integrationRegisterAuto sets them.',
  },
  signedDataNotStored: {
    kind: 'conflict',
    message: 'Signed data is not stored',
    ru: 'Подписанные данные не сохранены',
    kk: 'Қол қойылған деректер сақталмаған',
    description:
      'The original is neither archived nor in temporary storage. Register the document with forceArchive or tempStorageAfterRegistration, or archive the original by POST /api/{id}/verify; a signing procedure also takes it with the request and tempStorage: true, and keeps it for itself alone.',
  },
})
