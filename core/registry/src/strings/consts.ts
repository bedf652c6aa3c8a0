import { certificationAuthorities } from '../identity/index.js'
import type { VehicleConstName } from '../vehicle-registration/index.js'
import { extKeyUsages } from './ext-key-usages.js'
import { digestAlgorithms, nameAttributes } from './oids.js'
import type { Strings } from './schema.js'

const both = (ru: string, kk: string) => ({ ru, kk })

/** Key usages by their names in RFC 5280 section 4.2.1.3. */
const keyUsages = {
  digitalSignature: both('Цифровая подпись', 'Цифрлық қолтаңба'),
  nonRepudiation: both('Неотрекаемость', 'Бас тартпау'),
  keyEncipherment: both('Шифрование ключей', 'Кілттерді шифрлау'),
  dataEncipherment: both('Шифрование данных', 'Деректерді шифрлау'),
  keyAgreement: both('Согласование ключей', 'Кілттерді келісу'),
  keyCertSign: both('Подпись сертификатов', 'Сертификаттарға қол қою'),
  cRLSign: both('Подпись списков отозванных сертификатов', 'Қайтарып алынған сертификаттар тізіміне қол қою'),
  encipherOnly: both('Только шифрование', 'Тек шифрлау'),
  decipherOnly: both('Только расшифрование', 'Тек шифрды ашу'),
}

const policyOIDs = {
  '1.2.398.3.3.2': both('Политики Национального удостоверяющего центра', 'Ұлттық куәландырушы орталықтың саясаттары'),
  '1.2.398.3.3.2.1': both('Подпись юридического лица', 'Заңды тұлғаның қолтаңбасы'),
  '1.2.398.3.3.2.2': both('Аутентификация юридического лица', 'Заңды тұлғаның аутентификациясы'),
  '1.2.398.3.3.2.3': both('Подпись физического лица', 'Жеке тұлғаның қолтаңбасы'),
  '1.2.398.3.3.2.4': both('Аутентификация физического лица', 'Жеке тұлғаның аутентификациясы'),
  '1.2.398.3.3.2.5': both('Сертификат SSL', 'SSL сертификаты'),
}

const timeStampPolicyOIDs = {
  '1.2.398.3.3.2.6.1': both('Метка времени, политика 1', 'Уақыт белгісі, 1-саясат'),
  '1.2.398.3.3.2.6.2': both('Метка времени, политика 2', 'Уақыт белгісі, 2-саясат'),
  '1.2.398.3.3.2.6.3': both('Метка времени, политика 3', 'Уақыт белгісі, 3-саясат'),
  '1.2.398.3.3.2.6.4': both('Метка времени, политика 4', 'Уақыт белгісі, 4-саясат'),
}

const signatureAlgorithmOIDs = {
  '1.2.840.113549.1.1.1': both('RSA', 'RSA'),
  '1.2.840.113549.1.1.10': both('RSA-PSS', 'RSA-PSS'),
  '1.2.840.113549.1.1.11': both('RSA с SHA-256', 'SHA-256 бар RSA'),
  '1.2.840.113549.1.1.12': both('RSA с SHA-384', 'SHA-384 бар RSA'),
  '1.2.840.113549.1.1.13': both('RSA с SHA-512', 'SHA-512 бар RSA'),
  '1.2.840.10045.4.3.2': both('ECDSA с SHA-256', 'SHA-256 бар ECDSA'),
  '1.2.840.10045.4.3.3': both('ECDSA с SHA-384', 'SHA-384 бар ECDSA'),
  '1.2.840.10045.4.3.4': both('ECDSA с SHA-512', 'SHA-512 бар ECDSA'),
  '1.3.101.112': both('Ed25519', 'Ed25519'),
  '1.3.101.113': both('Ed448', 'Ed448'),
  '1.2.398.3.10.1.1.2.3.1': both('ГОСТ 34.10-2015, 256 бит', 'МЕМСТ 34.10-2015, 256 бит'),
  '1.2.398.3.10.1.1.2.3.2': both('ГОСТ 34.10-2015, 512 бит', 'МЕМСТ 34.10-2015, 512 бит'),
  '1.2.398.3.10.1.1.1.2': both('ГОСТ 34.310-2004', 'МЕМСТ 34.310-2004'),
}

const keyStorageOIDs = {
  '1.2.398.3.3.5.1.1': both('Файл PKCS#12', 'PKCS#12 файлы'),
  '1.2.398.3.3.5.1.2': both('Файл JKS', 'JKS файлы'),
  '1.2.398.3.3.5.2.1': both('Удостоверение личности', 'Жеке куәлік'),
  '1.2.398.3.3.5.2.2': both('Казтокен', 'Қазтокен'),
  '1.2.398.3.3.5.2.3': both('eToken Java', 'eToken Java'),
  '1.2.398.3.3.5.2.4': both('eToken 5110', 'eToken 5110'),
  '1.2.398.3.3.5.2.5': both('JaCarta', 'JaCarta'),
  '1.2.398.3.3.5.2.6': both('aKey', 'aKey'),
  '1.2.398.3.3.5.2.7': both('SIM-карта', 'SIM карта'),
  '1.2.398.3.3.5.3.1': both('Облачное хранилище Certex', 'Certex бұлттық қоймасы'),
}

const subscriptions = {
  free: both('Бесплатная', 'Тегін'),
  basic: both('Базовая', 'Базалық'),
  standard: both('Стандартная', 'Стандартты'),
  premium: both('Расширенная', 'Кеңейтілген'),
}

const subscriptionFeatures = {
  documentsRegistration: both(
    'Регистрация документов информационными системами',
    'Ақпараттық жүйелердің құжаттарды тіркеуі',
  ),
  documentsArchive: both('Архив подписанных данных', 'Қол қойылған деректер мұрағаты'),
  documentsPackages: both('Пакеты документов', 'Құжаттар пакеттері'),
  documentsRouting: both('Отправка документов контрагентам', 'Құжаттарды контрагенттерге жіберу'),
  documentsCards: both('Карточки электронных документов', 'Электрондық құжаттардың карточкалары'),
  governmentMobileSigning: both('Подписание в мобильных приложениях eGov', 'eGov мобильді қолданбаларында қол қою'),
  webhooks: both('Уведомление информационных систем (вебхуки)', 'Ақпараттық жүйелерді хабардар ету (вебхуктар)'),
  vehicleRegistration: both(
    'Передача документов в органы регистрации транспорта',
    'Құжаттарды көлікті тіркеу органдарына беру',
  ),
}

const isNcaAuthority = ([oid]: [string, unknown]): boolean => oid.startsWith('1.2.398.3.3.4.')

/** Names of the identifiers in answers (specification, "Strings registry"). */
export const consts: Omit<Strings['consts'], VehicleConstName> = {
  OIDs: {
    '1.2.398.3.3.5': both('Хранилище ключей', 'Кілттер қоймасы'),
    ...policyOIDs,
    ...timeStampPolicyOIDs,
    ...extKeyUsages,
    ...signatureAlgorithmOIDs,
    ...keyStorageOIDs,
    ...nameAttributes,
    ...digestAlgorithms,
  },
  policyOIDs,
  timeStampPolicyOIDs,
  extKeyUsageOIDs: extKeyUsages,
  signatureAlgorithmOIDs,
  ncaAuthorityOIDs: Object.fromEntries(Object.entries(extKeyUsages).filter(isNcaAuthority)),
  keyStorageOIDs,
  keyUsages,
  certificationAuthorities: Object.fromEntries(
    Object.entries(certificationAuthorities).map(([code, { ru, kk }]) => [code, { ru, kk }]),
  ),
  subscriptions,
  subscriptionFeatures,
}
