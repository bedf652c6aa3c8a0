/** The algorithm that every file is hashed by for reports. */
export const SHA256 = '2.16.840.1.101.3.4.2.1'
