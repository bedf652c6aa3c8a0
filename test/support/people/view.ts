/** How somebody looks at the pages: in their language, on a phone or at a desk. */
export interface View {
  readonly language: 'kk' | 'ru' | 'en'
  readonly width: 360 | 1440
}

/** Every language on both. */
export const ALL_VIEWS: readonly View[] = (['kk', 'ru', 'en'] as const).flatMap((language) =>
  ([360, 1440] as const).map((width) => ({ language, width })),
)

/** Every language once, and both widths. */
export const FEW_VIEWS: readonly View[] = [
  { language: 'kk', width: 360 },
  { language: 'ru', width: 1440 },
  { language: 'en', width: 360 },
]

export const nameOf = ({ language, width }: View): string => `${language}, ${width} px`
