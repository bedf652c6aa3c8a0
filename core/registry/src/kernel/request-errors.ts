import { defineErrors } from './error.js'

const headers = {
  kind: 'invalid',
  message: 'Invalid HTTP request headers',
  ru: 'Недопустимые заголовки HTTP-запроса',
  kk: 'HTTP сұрауының тақырыптары жарамсыз',
  description:
    'A header is malformed, or Content-Type is not what the endpoint takes (application/json, or application/octet-stream for uploads), or the body has a Content-Encoding; details name what is expected.',
} as const

/** Errors of a request itself, whatever it asks for. Everything else comes from the catalogues of the areas. */
export const requestErrors = defineErrors({
  invalidRoute: {
    kind: 'absent',
    message: 'Invalid API route',
    ru: 'Неизвестный путь API',
    kk: 'API жолы белгісіз',
    description: 'There is no such endpoint.',
  },
  invalidMethod: {
    kind: 'invalid',
    message: 'Invalid HTTP request method',
    ru: 'Недопустимый метод HTTP-запроса',
    kk: 'HTTP сұрауының әдісі жарамсыз',
    description: 'The endpoint exists, but not for this method; the Allow header lists those it has.',
  },
  invalidHeaders: headers,
  unsupportedMediaType: headers,
  contentLengthNotSet: {
    kind: 'invalid',
    message: 'HTTP Content-Length request header not set',
    ru: 'Не указан заголовок HTTP-запроса Content-Length',
    kk: 'HTTP сұрауының Content-Length тақырыбы көрсетілмеген',
    description: 'Uploads must declare their size; chunked transfer without it is refused.',
  },
  jsonNotParsed: {
    kind: 'invalid',
    message: 'Failed to parse JSON',
    ru: 'Не удалось разобрать JSON',
    kk: 'JSON-ды талдау мүмкін болмады',
    description: 'The body is not JSON in UTF-8, is nested too deeply, or has keys that are not allowed (__proto__).',
  },
  formNotParsed: {
    kind: 'invalid',
    message: 'Failed to parse form data',
    ru: 'Не удалось разобрать данные формы',
    kk: 'Пішін деректерін талдау мүмкін болмады',
    description:
      'A form has two parts in this order, and ends after them: request (JSON, at most 1 MiB) and original; details name the part that is not as it must be.',
  },
  invalidJsonStructure: {
    kind: 'invalid',
    message: 'Invalid JSON request structure',
    ru: 'Недопустимая структура JSON-запроса',
    kk: 'JSON сұрауының құрылымы жарамсыз',
    description: 'A field is missing or has a wrong type or value; details name it.',
  },
  invalidQueryParameter: {
    kind: 'invalid',
    message: 'Invalid URL query parameter',
    ru: 'Недопустимый параметр URL',
    kk: 'URL параметрі жарамсыз',
    description: 'A parameter of the address has a wrong type or value; details name it.',
  },
  bodyTooLarge: {
    kind: 'tooLarge',
    message: 'Request body is too large',
    ru: 'Слишком большое тело запроса',
    kk: 'Сұраудың денесі тым үлкен',
    description: 'The body is larger than this host accepts.',
  },
  tooManyJsonValues: {
    kind: 'tooLarge',
    message: 'Request JSON has too many values',
    ru: 'В JSON запроса слишком много значений',
    kk: 'Сұраудың JSON-ында мәндер тым көп',
    description:
      'The JSON has more elements and fields than any request to this address needs, fields that are ignored counted too, or more than a megabyte beside its texts; details say how many there may be.',
  },
  rateLimitReached: {
    kind: 'tooMany',
    message: 'Request rate limit reached',
    ru: 'Достигнуто ограничение частоты запросов',
    kk: 'Сұраулар жиілігінің шегіне жетті',
    description: 'Too many requests in too short a time; repeat after the seconds of the Retry-After header.',
  },
  foreignOrigin: {
    kind: 'forbidden',
    message: 'Request comes from a page of another origin',
    ru: 'Запрос отправлен страницей другого сайта',
    kk: 'Сұрау басқа сайттың бетінен жіберілген',
    description:
      'A browser sent this for a page that is not of the service, with cookies or a certificate of its user; Origin or Sec-Fetch-Site says so. Nothing was done. Operators list origins that may in CORS_ORIGINS.',
  },
  databaseUnavailable: {
    kind: 'unavailable',
    message: 'Database is not available',
    ru: 'База данных недоступна',
    kk: 'Дерекқор қолжетімсіз',
    description:
      'The service cannot reach its database. Repeat the request later; a signature that was stored after all answers that it is registered already.',
  },
  databaseFull: {
    kind: 'full',
    message: 'Database has no room left',
    ru: 'В базе данных не осталось места',
    kk: 'Дерекқорда орын қалмады',
    description: 'The service cannot store anything until its operator makes room. Nothing of the request was stored.',
  },
  notReady: {
    kind: 'unavailable',
    message: 'Service is not ready',
    ru: 'Сервис не готов к работе',
    kk: 'Сервис жұмысқа дайын емес',
    description:
      'Told by /readyz alone: something without which the service cannot serve is not there. Beside it stands each check with what it found.',
  },
  unexpected: {
    kind: 'unexpected',
    message: 'Unexpected error',
    ru: 'Непредвиденная ошибка',
    kk: 'Күтілмеген қате',
    description: 'The service failed. Its log explains this request under requestID.',
  },
})
