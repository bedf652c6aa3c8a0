import { told } from '../identity/index.js'

/** The secret in the path authenticates the caller. */
export const whoBegan = told('whoever has the address, which who began it was told')

/** The one phone that the procedure has admitted, authenticated by its address and its token. */
export const thePhone = told('that phone alone, at the address that it was given, and proved as was asked')
