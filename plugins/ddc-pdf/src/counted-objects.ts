import { PDFContext } from 'pdf-lib'

let left = Number.POSITIVE_INFINITY

/**
 * Reads a PDF, of which no more than so many objects are read: a million empty ones lie in some megabytes, and cost ten
 * seconds and a gigabyte. `tooMany` answers whether there were more; pdf-lib turns what is thrown inside of it into errors of its own.
 */
export async function readingObjects<T>(most: number, read: () => Promise<T>, tooMany: () => Error): Promise<T> {
  left = most
  try {
    return await read()
  } catch (error) {
    throw left < 0 ? tooMany() : error
  } finally {
    left = Number.POSITIVE_INFINITY
  }
}

/** Every object that pdf-lib reads goes into its context by this one method, also those of object streams. */
function countObjects(): void {
  const { assign } = PDFContext.prototype
  PDFContext.prototype.assign = function (ref, object) {
    left -= 1
    if (left < 0) throw new RangeError('The PDF has too many objects')
    assign.call(this, ref, object)
  }
}
countObjects()
