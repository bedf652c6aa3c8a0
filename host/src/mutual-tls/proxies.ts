/** The trusted proxies in front of a host. */
export interface ProxySettings {
  /** Addresses or networks, such as `10.0.0.7` or `10.0.0.0/24`. */
  readonly trusted: readonly string[]
  /** Name of the header that carries a client certificate (RFC 9440), if any. */
  readonly certificateHeader: string | undefined
}

export const noProxies: ProxySettings = { trusted: [], certificateHeader: undefined }
