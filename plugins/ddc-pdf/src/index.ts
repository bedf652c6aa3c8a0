import { CardBuilder, CardComparer, CardParser, definePlugin, port, provide } from '@signed-registry/core'
import { type Static, Type } from 'typebox'
import { PdfCards } from './pdf-cards.js'

export { type CodedSignature, joinSignature, splitSignature } from './signature-codes.js'

/** Options of `ddcPdf`. */
export const DdcPdfOptions = Type.Object(
  {
    /** Milliseconds for one card; one minute where not given. */
    timeoutMs: Type.Optional(Type.Integer({ minimum: 1000, maximum: 600_000 })),
    /** Mebibytes of each drawing thread; 768 where not given. */
    memoryMb: Type.Optional(Type.Integer({ minimum: 64 })),
    /** Threads that draw at the same time; 2 where not given. */
    threads: Type.Optional(Type.Integer({ minimum: 1, maximum: 64 })),
    /** Cards that wait for a thread before others are refused; 64 where not given. */
    waiting: Type.Optional(Type.Integer({ minimum: 0 })),
    /** Pages of an original; 1000 where not given. */
    pages: Type.Optional(Type.Integer({ minimum: 1 })),
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

/** Plugin: document cards as PDF, drawn and read in threads of their own. */
export const ddcPdf = definePlugin({
  name: 'ddc-pdf',
  options: DdcPdfOptions,
  parts: ({ utcOffset = 5, ...limits }) => ({
    provides: [
      provide(Cards, {
        make: () =>
          new PdfCards(
            {
              timeoutMs: 60_000,
              memoryMb: 768,
              threads: 2,
              waiting: 64,
              pages: 1000,
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
