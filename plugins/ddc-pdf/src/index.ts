import { CardBuilder, CardComparer, CardParser, definePlugin, port, provide } from '@signed-registry/core'
import { type Static, Type } from 'typebox'
import { PdfCards } from './pdf-cards.js'

export { joinSignature } from './join-signature.js'
export { type CodedSignature, splitSignature } from './split-signature.js'

/** Options of `ddcPdf`. */
export const DdcPdfOptions = Type.Object(
  {
    /** Seconds of the processor for one card; 15 where not given. */
    processorSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 600 })),
    /** Milliseconds for one card from its beginning, however busy the machine is; one minute where not given. */
    timeoutMs: Type.Optional(Type.Integer({ minimum: 1000, maximum: 600_000 })),
    /** Mebibytes of each process that draws and reads; 512 where not given. */
    memoryMb: Type.Optional(Type.Integer({ minimum: 192 })),
    /** Processes that draw and read at the same time; 2 where not given. */
    processes: Type.Optional(Type.Integer({ minimum: 1, maximum: 64 })),
    /** Cards that wait for a process before others are refused; 64 where not given. */
    waiting: Type.Optional(Type.Integer({ minimum: 0 })),
    /** Milliseconds that a card waits for a process before it is refused; half a minute where not given. */
    waitMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
    /** Pages of an original; 1000 where not given. */
    pages: Type.Optional(Type.Integer({ minimum: 1 })),
    /** Objects of an original; 100,000 where not given. */
    objects: Type.Optional(Type.Integer({ minimum: 100 })),
    /** Files of a card that is read; 201 where not given. */
    files: Type.Optional(Type.Integer({ minimum: 2 })),
    /** Bytes of all files of a card that is read; 100 MiB where not given. */
    fileBytes: Type.Optional(Type.Integer({ minimum: 1 })),
    /** Bytes that the streams of one PDF unpack to; 256 MiB where not given. */
    unpackedBytes: Type.Optional(Type.Integer({ minimum: 1 })),
    /** Hours from UTC in which cards tell time; 5 (Kazakhstan since March 2024) where not given. */
    utcOffset: Type.Optional(Type.Integer({ minimum: -12, maximum: 14 })),
  },
  { additionalProperties: false },
)
export type DdcPdfOptions = Static<typeof DdcPdfOptions>

const Cards = port<PdfCards>('DdcPdfCards', 'defaulted')

/** Plugin: document cards as PDF, drawn and read in processes of their own. */
export const ddcPdf = definePlugin({
  name: 'ddc-pdf',
  options: DdcPdfOptions,
  parts: ({ utcOffset = 5, ...limits }) => ({
    provides: [
      provide(Cards, {
        make: () =>
          new PdfCards(
            {
              processorSeconds: 15,
              timeoutMs: 60_000,
              memoryMb: 512,
              processes: 2,
              waiting: 64,
              waitMs: 30_000,
              pages: 1000,
              objects: 100_000,
              files: 201,
              fileBytes: 100 * 1024 * 1024,
              unpackedBytes: 256 * 1024 * 1024,
              ...limits,
            },
            utcOffset,
          ),
        close: (cards) => cards.close(),
      }),
      provide(CardBuilder, { inject: { cards: Cards }, make: ({ cards }) => cards }),
      provide(CardParser, { inject: { cards: Cards }, make: ({ cards }) => cards }),
      provide(CardComparer, { inject: { cards: Cards }, make: ({ cards }) => cards }),
    ],
  }),
})
