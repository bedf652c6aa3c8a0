import java.math.BigInteger;
import java.util.*;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.x509.*;
import org.bouncycastle.cms.DefaultSignedAttributeTableGenerator;
import org.bouncycastle.cms.jcajce.*;
import org.bouncycastle.operator.*;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;
import org.bouncycastle.tsp.*;
import org.bouncycastle.tsp.ers.*;
import org.bouncycastle.util.CollectionStore;

/** Judges evidence records (RFC 4998) by BouncyCastle, and writes some. */
final class RecordKeeper {
  /** Fields: record, data object, moment. Its newest time stamp is signed by a certificate of its own; paths are not judged. */
  static List<List<byte[]>> read(LineServer.Fields fields) throws Exception {
    ERSEvidenceRecord record = new ERSEvidenceRecord(fields.octets(0), digests());
    record.validatePresent(new ERSByteData(fields.octets(1)), new Date(fields.number(2)));
    record.validate(new JcaSimpleSignerInfoVerifierBuilder().setProvider("BC").build(record.getSigningCertificate()));
    return BouncyCastle.GOOD;
  }

  /** Fields: seed, moment, data objects, renewals ("stamp" or "hash"), a day apart. Answers: anchor, a record for each. */
  static List<List<byte[]>> write(LineServer.Fields fields) throws Exception {
    Random random = new Random(fields.number(0));
    long now = fields.number(1);
    Party root = Party.root(now, random);
    Party authority = Party.issue(root, "CN=TSA,C=KZ", Party.keys("P-256", random), now, 0, "SHA256", List.of(
        new Party.Added(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature)),
        new Party.Added(Extension.extendedKeyUsage, true, new ExtendedKeyUsage(KeyPurposeId.id_kp_timeStamping))));
    ERSArchiveTimeStampGenerator generator = new ERSArchiveTimeStampGenerator(digest(NISTObjectIdentifiers.id_sha256));
    List<ERSData> data = new ArrayList<>();
    for (byte[] one : fields.list(2)) data.add(new ERSByteData(one));
    generator.addAllData(data);
    TimeStampRequest request = generator.generateTimeStampRequest(requests());
    List<ERSEvidenceRecord> records = new ERSEvidenceRecordGenerator(digests())
        .generate(generator.generateArchiveTimeStamps(answer(authority, request, now)));
    List<byte[]> written = new ArrayList<>();
    for (ERSData one : data) {
      ERSEvidenceRecord record = null;
      for (ERSEvidenceRecord candidate : records) if (candidate.isContaining(one, new Date(now))) record = candidate;
      long moment = now;
      for (byte[] renewal : fields.list(3)) {
        moment += Party.DAY;
        record = renewed(record, one, new String(renewal), authority, moment);
      }
      written.add(record.getEncoded());
    }
    return List.of(LineServer.one(root.der()), written);
  }

  private static ERSEvidenceRecord renewed(
      ERSEvidenceRecord record, ERSData data, String how, Party authority, long moment) throws Exception {
    if (how.equals("stamp"))
      return record.renewTimeStamp(answer(authority, record.generateTimeStampRenewalRequest(requests()), moment));
    DigestCalculator digest = digest(NISTObjectIdentifiers.id_sha512);
    return record.renewHash(
        digest, data, answer(authority, record.generateHashRenewalRequest(digest, data, requests()), moment));
  }

  private static TimeStampResponse answer(Party authority, TimeStampRequest request, long moment) throws Exception {
    TimeStampTokenGenerator generator = new TimeStampTokenGenerator(
        new JcaSignerInfoGeneratorBuilder(digests())
            .setSignedAttributeGenerator(new DefaultSignedAttributeTableGenerator(MessageWriter.timed(moment)))
            .build(authority.signer("SHA256"), authority.certificate()),
        digest(NISTObjectIdentifiers.id_sha256), new ASN1ObjectIdentifier("1.2.3.4"));
    generator.addCertificates(new CollectionStore<>(List.of(authority.certificate())));
    TimeStampResponseGenerator responses = new TimeStampResponseGenerator(generator, TSPAlgorithms.ALLOWED);
    return responses.generateGrantedResponse(request, BigInteger.valueOf(4711), new Date(moment));
  }

  private static TimeStampRequestGenerator requests() {
    TimeStampRequestGenerator requests = new TimeStampRequestGenerator();
    requests.setCertReq(true);
    return requests;
  }

  private static DigestCalculatorProvider digests() throws OperatorCreationException {
    return new JcaDigestCalculatorProviderBuilder().setProvider("BC").build();
  }

  private static DigestCalculator digest(ASN1ObjectIdentifier oid) throws OperatorCreationException {
    return digests().get(new AlgorithmIdentifier(oid));
  }

  private RecordKeeper() {}
}
