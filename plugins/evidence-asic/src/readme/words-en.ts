import type { ReadmeWords } from './words.js'

export const en: ReadmeWords = {
  language: 'English',
  title: 'Evidence for an electronic document',
  about:
    'This file shows who signed the document, that it has not changed since, and that each signature existed at the time given below. You need neither the registry that made this file nor its software to check it: all that you need is in here, except the certificates of the certification authority, which you must get from the authority yourself.',
  signed: {
    title: 'What was signed, by whom and when',
    package: 'Package',
    document: 'Document',
    nobody: 'No signatures.',
  },
  before: {
    rest: 'The other signatures',
    title: 'Before you start',
    unpack:
      'Unpack this file into an empty folder and open a terminal in it (on Windows: Git Bash or WSL). The commands need OpenSSL 3 and unzip.',
    trust:
      'Save the certificates of the certification authority in this folder as ca.pem: the root certificate and those of the authorities that issued certificates to the signers, in PEM, one after another. Take them from the authority itself (the National Certification Authority of Kazakhstan: https://pki.gov.kz), never from certificates.pem: that file only helps to build the chain of certificates, and whoever makes such evidence can put anything into it.',
    others: (signId) =>
      `The commands below are for signature No. ${signId}. Those for the others stand at the end of this file; what they prove is the same.`,
  },
  proves: 'Proves:',
  provesNot: 'Does not prove:',
  original: {
    title: 'The document is the same',
    inside: (file) => `The first command writes the original to ${file}.`,
    beside: (file) => `The original is not in this file. Save the document that you have in this folder as ${file}.`,
    expected: 'The command must print:',
    proves: 'that the document you have is the one whose hash the registry fixed (evidence.json).',
    provesNot: 'who signed it, and when.',
  },
  signer: {
    title: 'Who signed it',
    expected:
      'It must print "CMS Verification successful"; the last command prints the name and the number of the signer\'s certificate. The number after -attime is the time of the time stamp in seconds since 1 January 1970: the certificate may have expired since.',
    proves:
      'that the owner of the key of this certificate signed exactly this document, that the certification authority in ca.pem issued the certificate, and that it was valid at that time.',
    provesNot: 'when it was signed (step 3), and that the certificate had not been revoked (step 4).',
    engine: 'OpenSSL needs its module for GOST: gost-engine (in Debian: libengine-gost-openssl).',
    xml: (signId) =>
      `Signature No. ${signId} is in XML, which OpenSSL cannot verify. Use signed-registry or DSS (step 5).`,
    covered: {
      ranges:
        'The signature is over parts of the file, as signatures inside a PDF are: the first command cuts them out. Between them stands the signature itself; what lies behind the last one it does not cover.',
      references:
        'The signature is over a list of files by their hashes, which the first command writes and the second prints: the list must name the document with the hash that the third prints.',
    },
    national: (signId) =>
      `Signature No. ${signId} is by the GOST of Kazakhstan, whose identifiers OpenSSL does not know. Use signed-registry (step 5) or the software of the certification authority.`,
  },
  time: {
    title: 'When it was signed',
    expected:
      'It must print "Verification: OK" (warnings that something "is not a CA cert" do no harm); the second command prints the time ("Time stamp").',
    same: (file) => `The third must print 1: ${file} is the value of this signature.`,
    proves: 'that the time-stamping authority saw the signature at that time: it is not younger.',
    provesNot: 'that the signature was not made earlier.',
  },
  status: {
    title: 'The certificate had not been revoked',
    ocsp: {
      expected:
        'It must print "Response verify OK", and "Cert Status: good" for the number of the certificate from step 2.',
      proves: 'that the certification authority said that the certificate was good at the time in "This Update".',
      provesNot: 'that it was not revoked later, which does not matter to a signature with an earlier time stamp.',
    },
    crl: {
      expected:
        'It must print "verify OK", and the number of the certificate from step 2 must not be among those that it lists.',
      proves: 'that the certification authority had not revoked the certificate when it made the list ("Last Update").',
      provesNot: 'that it was not revoked later, which does not matter to a signature with an earlier time stamp.',
    },
    national:
      'The answer about a certificate by the GOST of Kazakhstan may be signed by that GOST too: OpenSSL does not know it, see step 5.',
  },
  programs: {
    title: 'All at once, with other programs',
    ours: 'signed-registry, where FILE is this file before you unpacked it. It must say that everything is proved:',
    page: 'The page /check of any registry of this kind checks the file in your browser; the file does not leave it.',
    containers: 'Files *.asics are ASiC-S containers (ETSI EN 319 162-1) with the original and its signatures.',
    signatures: 'Files cms/*.p7s are the signatures by themselves (CAdES-B-LT, ETSI EN 319 122-1).',
    readBy:
      'DSS of the European Commission and programs built on BouncyCastle read them. Give them the certificates from ca.pem to trust.',
    proves: 'what steps 1 to 4 prove, of all signatures.',
    provesNot: 'that these programs are honest: that is why there are several of different makers.',
  },
  registry: {
    title: 'What the registry itself says',
    says: (key) =>
      `evidence.json has identifiers, titles, times of registration, the rules of verification, and the hash of every other file. evidence.json.sig is the signature of the registry over it, by the key ${key}`,
    proves: 'that this is what the owner of that key says.',
    provesNot: (origin) =>
      `that it is true. Whether you believe the time of registration depends on whether you trust the registry. Take its key from the registry itself (${origin}/api/statementKey).`,
  },
  log: {
    title: 'Since when the registration cannot be changed unnoticed',
    expected:
      'The first command must print "Verification: OK", the second the time ("Time stamp"). The third prints what was logged, and the fourth must print the hash in its line "signature".',
    whole:
      'Files proofs/*.tlog-proof are proofs of a transparency log (C2SP tlog-proof): programs for such logs, for example with sumdb/tlog in Go, follow them to the tree hash in the third line of the checkpoint. The following command does so too; policy.txt has the logs and witnesses that you trust (C2SP tlog-policy), from a source other than this file:',
    unstamped: 'The checkpoint has no time stamp yet. Ask the registry for the evidence again in some hours.',
    unproved: {
      absent:
        'There is no proof: the registry says that the signature is not in the transparency log. That is as it should be only if it was registered while the registry kept no log. The steps above prove the signature without the log.',
      pending:
        'When this file was made, the signature was not in a checkpoint of the transparency log yet. Ask the registry for the evidence again later.',
      changed:
        'There is no proof: what the registry has of this signature is not what it logged. The steps above prove the signature without the log; ask the registry what happened.',
      broken:
        'There is no proof: the registry could not read its transparency log. The steps above prove the signature without the log; ask the registry what happened.',
    },
    proves:
      'that the registry had this signature at that time at the latest, with this time stamp and this status of the certificate, in a tree that it has signed; and that the entry was made after the time stamp of step 3, whose hash it has.',
    provesNot:
      'when it was registered between these two times, which only the registry says; and that the registry shows everyone the same tree: that is known from the witnesses that cosigned the checkpoint, if you trust them.',
  },
  record: {
    title: 'Since when all of this is proved, whatever has ended since',
    files: (object, record) =>
      `${object} is text: it has the signature as it was received, its time stamp, the status of the certificate and the hashes of the document (octets in base64). ${record} is an evidence record about it (RFC 4998): time stamps over its hash, each over the one before. Programs for such records, for example BouncyCastle (ERSEvidenceRecord), judge it, and so does signed-registry:`,
    expected:
      'The command must print "Proved", the time since which the file is proved to exist, the time stamps, and until when that holds if nobody renews it.',
    proves:
      'that the signature existed at that time at the latest, with its time stamp and the status of the certificate: what has ended or been broken since does not matter to them.',
    provesNot:
      'that the signature is valid: that is in the steps above, as of that time; and nothing after the time until which it holds, unless the registry renewed it: ask for the evidence again then.',
  },
  limits: {
    title: 'What this file does not prove',
    all: [
      'That the signers had the right to sign, and that they read what they signed.',
      'Anything for ever: the evidence holds while its algorithms are trusted, and until the certificate of the time-stamping authority ends. Before that, it has to be confirmed by a new time stamp.',
    ],
  },
}
