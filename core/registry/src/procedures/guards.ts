import { told } from '../identity/index.js'

/** The secret in the address says who calls. */
export const whoBegan = told('whoever has the address, which who began it was told')

/** The one phone that the procedure has admitted; its address and its token say who calls. */
export const thePhone = told('that phone alone, at the address that it was given, and proved as was asked')
