import { statfs } from 'node:fs/promises'
import { ArchiveFull } from '@signed-registry/core'

/** Disk space reserved for a file while it is written. */
export interface TakenRoom {
  /** Reports that this many more bytes have been written. */
  written(bytes: number): void
  /** The file is complete or abandoned. */
  end(): void
}

/** Keeps part of a disk free for other uses, such as a database. */
export class Room {
  /** Bytes that are reserved but not written yet. */
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
    // Reserved before the disk is asked, so that concurrent calls see it; bytes written meanwhile are counted twice at worst.
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
