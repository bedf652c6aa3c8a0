import { CardBuilder, CardComparer, CardParser, definePlugin, port, provide } from '@signed-registry/core'
import { type Static, Type } from 'typebox'
import { PdfCards } from './pdf-cards.js'

export { joinSignature } from './join-signature.js'
export { type CodedSignature, splitSignature } from './split-signature.js'

/** Options of `ddcPdf`. */
export const DdcPdfOptions = Type.Object(
  {
    /** CPU seconds for one card; default 15. */
    processorSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 600 })),
    /** Milliseconds of wall-clock time for one card; default one minute. */
    timeoutMs: Type.Optional(Type.Integer({ minimum: 1000, maximum: 600_000 })),
    /** Mebibytes of memory for each worker process; default 512. */
    memoryMb: Type.Optional(Type.Integer({ minimum: 192 })),
    /** Worker processes at the same time; default 2. */
    processes: Type.Optional(Type.Integer({ minimum: 1, maximum: 64 })),
    /** Length of the queue for a process, beyond which cards are refused; default 64. */
    waiting: Type.Optional(Type.Integer({ minimum: 0 })),
    /** Milliseconds that a card waits in the queue before it is refused; default 30 seconds. */
    waitMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
    /** Pages of an original; default 1000. */
    pages: Type.Optional(Type.Integer({ minimum: 1 })),
    /** Objects of an original; default 100,000. */
    objects: Type.Optional(Type.Integer({ minimum: 100 })),
    /** Files in a card that is read; default 201. */
    files: Type.Optional(Type.Integer({ minimum: 2 })),
    /** Total bytes of the files in a card that is read; default 100 MiB. */
    fileBytes: Type.Optional(Type.Integer({ minimum: 1 })),
    /** Total bytes of the decoded streams of one PDF; default 256 MiB. */
    unpackedBytes: Type.Optional(Type.Integer({ minimum: 1 })),
    /** Offset from UTC, in hours, of the times in cards; default 5 (Kazakhstan since March 2024). */
    utcOffset: Type.Optional(Type.Integer({ minimum: -12, maximum: 14 })),
  },
  { additionalProperties: false },
)
export type DdcPdfOptions = Static<typeof DdcPdfOptions>

const Cards = port<PdfCards>('DdcPdfCards', 'defaulted')

/** Plugin: document cards as PDF, drawn and read in worker processes. */
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
