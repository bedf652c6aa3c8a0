/** An original on its way in; never held in memory whole. */
export interface Upload {
  /** Bytes, as the sender declared them. */
  readonly size: number
  readonly stream: UploadStream
}

/** The bytes of an upload. Who passes them on gives a stream of his own, so that what he looks at is released by nobody. */
export type UploadStream = (AsyncIterable<Uint8Array> | Iterable<Uint8Array>) & {
  /** Gives back the memory of a chunk that nobody reads any more; where it is absent, or never called, that takes longer. */
  readonly release?: (chunk: Uint8Array) => void
  /** Has what is left come faster than usual: memory is held for all of it. */
  readonly hurry?: () => void
}

/** A body of any type, as it comes; nothing of it is read before somebody asks. */
export interface BodyStream {
  /** What its sender says that it is, such as `application/json`. */
  readonly type?: string | undefined
  /** Bytes, where its sender declared them. */
  readonly size?: number | undefined
  readonly stream: UploadStream
}
