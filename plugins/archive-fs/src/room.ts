import { statfs } from 'node:fs/promises'
import { ArchiveFull } from '@signed-registry/core'

/** Room that a file takes while it is written. */
export interface TakenRoom {
  /** So many more of its bytes are on the disk. */
  written(bytes: number): void
  /** It is whole, or given up. */
  end(): void
}

/** Keeps a part of a disk free, for what else lies on it: a database above all. */
export class Room {
  /** Bytes that this process has begun to write, and the disk does not count yet. */
  private pending = 0

  /** `free` tells how many bytes the disk has; `reserve` of them are left. */
  constructor(
    private readonly free: () => Promise<number>,
    private readonly reserve: number,
  ) {}

  /** Rejects with `ArchiveFull` for a file that leaves less than the reserve. */
  async take(size: number): Promise<TakenRoom> {
    let left = size
    this.pending += size
    const room = {
      written: (bytes: number) => {
        const counted = Math.min(bytes, left)
        left -= counted
        this.pending -= counted
      },
      end: () => room.written(left),
    }
    if (this.reserve === 0) return room
    // Counted before the disk is asked: who comes later sees this one, and what is written meanwhile counts twice at worst.
    const { pending } = this
    try {
      if ((await this.free()) - pending < this.reserve) throw new ArchiveFull()
      return room
    } catch (error) {
      room.end()
      throw error
    }
  }
}

/** Bytes that the disk of a folder has for this user. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
