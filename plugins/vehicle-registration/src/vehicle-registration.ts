import {
  anyAddress,
  CertificatesInUse,
  Check,
  ClientCertificate,
  ClientCertificateOptions,
  checkAddress,
  definePlugin,
  type OutboundAnswer,
  OutboundClient,
  provide,
  provideValue,
  Reloadable,
  type VehicleAnswer,
  type VehicleCatalogue,
  type VehicleDocument,
  VehicleRegistration,
} from '@signed-registry/core'
import { type Static, Type } from 'typebox'
import { type FormPart, multipart } from './multipart.js'

const Pem = Type.String({ pattern: '-----BEGIN ' })
const Texts = Type.Record(
  Type.String({ pattern: '^[\\x21-\\x7e]{1,64}$' }),
  Type.Object({ ru: Type.String(), kk: Type.String() }),
  { additionalProperties: false },
)

/** Options of `vehicleRegistration`. */
export const VehicleRegistrationOptions = Type.Object(
  {
    /** Where documents are posted to. */
    url: Type.String({ pattern: '^https://[^\\s]+$' }),
    /** Authenticates this registry to the authority. */
    clientCertificate: ClientCertificateOptions,
    /** Certificates that the authority is trusted by, in place of those of Node. */
    trust: Type.Optional(Pem),
    /** What the authority takes; `saleContracts` where not given. */
    catalogue: Type.Optional(
      Type.Object({
        documentTypes: Texts,
        signers: Texts,
        errors: Type.Record(Type.String(), Type.Object({ ru: Type.String(), kk: Type.String() })),
      }),
    ),
    /** For one exchange, milliseconds; 110 seconds where not given. */
    timeoutMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 110_000 })),
  },
  { additionalProperties: false },
)
export type VehicleRegistrationOptions = Static<typeof VehicleRegistrationOptions>

/** Contracts by which vehicles are sold. */
export const saleContracts: VehicleCatalogue = {
  documentTypes: {
    vehicleSaleContract: {
      ru: 'Договор купли-продажи транспортного средства',
      kk: 'Көлік құралын сатып алу-сату шарты',
    },
  },
  signers: { seller: { ru: 'Продавец', kk: 'Сатушы' }, buyer: { ru: 'Покупатель', kk: 'Сатып алушы' } },
  errors: {},
}

const TIMEOUT_MS = 110_000
/** Bytes of a response that are read. */
const MAX_ANSWER = 16 * 1024
const TYPES = { cms: 'application/pkcs7-signature', xml: 'application/xml' } as const
/** 4xx statuses that are transient: Request Timeout, Too Early, Too Many Requests. */
const PASSING = new Set([408, 425, 429])

/** Plugin: forwards documents to the authority that registers vehicles, by HTTP over mutual TLS. */
export const vehicleRegistration = definePlugin({
  name: 'vehicle-registration',
  options: VehicleRegistrationOptions,
  parts: (options) => {
    const shown = new ClientCertificate('vehicle-registration client', options.clientCertificate)
    return {
      provides: [
        provideValue(Reloadable, shown),
        provideValue(CertificatesInUse, shown),
        provideValue(Check, checkAuthority(options, shown)),
        provide(VehicleRegistration, {
          make: () => new HttpVehicleRegistration(options, shown),
          close: (authority) => authority?.close(),
        }),
      ],
    }
  },
})

/** All hosts share the authority, and documents wait for it. */
const checkAuthority = ({ url, trust }: VehicleRegistrationOptions, clientCertificate: ClientCertificate): Check => ({
  name: 'vehicle registration',
  isRequired: false,
  async check(signal) {
    const client = new OutboundClient({ guard: anyAddress, clientCertificate, trust })
    return checkAddress(client, url, signal).finally(() => client.close())
  },
})

class HttpVehicleRegistration implements VehicleRegistration {
  readonly catalogue: VehicleCatalogue
  private readonly client: OutboundClient

  constructor(
    private readonly options: VehicleRegistrationOptions,
    clientCertificate: ClientCertificate,
  ) {
    const { trust, catalogue = saleContracts } = options
    this.catalogue = catalogue
    this.client = new OutboundClient({ guard: anyAddress, clientCertificate, trust })
  }

  async forward(document: VehicleDocument): Promise<VehicleAnswer> {
    const { url, timeoutMs = TIMEOUT_MS } = this.options
    const { contentType, body } = multipart(formOf(document))
    const answer = await this.client.send({
      url,
      headers: { 'content-type': contentType, 'idempotency-key': document.deliveryId, accept: 'application/json' },
      body,
      signal: document.signal,
      timeoutMs,
      maxBytes: MAX_ANSWER,
      ifLarger: 'cut',
    })
    return judge(answer)
  }

  close(): void {
    this.client.close()
  }
}

/** The wire format (README.md). */
function formOf({
  deliveryId,
  documentId,
  title,
  documentTypeCode,
  original,
  signatures,
}: VehicleDocument): FormPart[] {
  const registration = {
    deliveryId,
    documentId,
    title,
    documentTypeCode,
    signatures: signatures.map(({ signId, signer, signType, userId, businessId }) => ({
      part: `signature-${signId}`,
      signId,
      signer,
      signType,
      userId,
      ...(businessId !== undefined && { businessId }),
    })),
  }
  return [
    { name: 'registration', type: 'application/json', content: Buffer.from(JSON.stringify(registration)) },
    ...signatures.map(({ signId, signType, bytes }) => ({
      name: `signature-${signId}`,
      fileName: `signature-${signId}.${signType}`,
      type: TYPES[signType],
      content: bytes,
    })),
    { name: 'document', fileName: 'document', type: 'application/octet-stream', content: original },
  ]
}

function judge({ status, headers, body }: OutboundAnswer): VehicleAnswer {
  const text = textOf(body.toString().trim())
  if (status >= 200 && status < 300) return { outcome: 'accepted', status, text }
  if (status >= 400 && status < 500 && !PASSING.has(status)) return { outcome: 'refused', status, text }
  const seconds = /^\d{1,6}$/.exec(headers['retry-after'] ?? '')?.[0]
  return { outcome: 'later', status, text, ...(seconds !== undefined && { afterMs: Number(seconds) * 1000 }) }
}

/** `error` of a JSON answer, or the answer as it came. */
function textOf(body: string): string {
  try {
    const parsed: unknown = JSON.parse(body)
    if (typeof parsed === 'object' && parsed !== null && 'error' in parsed && typeof parsed.error === 'string') {
      return parsed.error
    }
  } catch {
    // Text is an answer as well.
  }
  return body
}
