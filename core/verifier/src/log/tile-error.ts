import type { Tile } from './tiles.js'

/** A tile that could not be read (`missing`), or is not what the root of the tree says (`wrong`). */
export class LogTileError extends Error {
  override readonly name = 'LogTileError'

  constructor(
    readonly reason: 'missing' | 'wrong',
    /** The tile; `wrong` tiles of the right edge are told by the lowest one, since they are checked as a whole. */
    readonly tile: Tile,
    options?: ErrorOptions,
  ) {
    super(`Tile ${tile.level}/${tile.index} (${tile.width} wide) is ${reason}`, options)
  }
}
