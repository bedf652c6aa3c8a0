import java.math.BigInteger;
import java.security.MessageDigest;
import java.util.*;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.x509.*;
import org.bouncycastle.cms.DefaultSignedAttributeTableGenerator;
import org.bouncycastle.cms.jcajce.JcaSignerInfoGeneratorBuilder;
import org.bouncycastle.operator.DigestCalculatorProvider;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;
import org.bouncycastle.tsp.*;
import org.bouncycastle.util.CollectionStore;

/** Writes a time-stamp token by BouncyCastle with random choices. */
final class StampWriter {
  /** Fields: seed, moment. Answers: what was chosen, anchor, token, data. */
  static List<List<byte[]>> write(LineServer.Fields fields) throws Exception {
    Random random = new Random(fields.number(0));
    long now = fields.number(1);
    Party root = Party.root(now, random);
    String kind = Party.pick(random, "RSA2048", "P-256", "P-384");
    String digest = Party.pick(random, "SHA-256", "SHA-384", "SHA-512", "SHA-256", "SHA-1");
    String imprinted = Party.pick(random, "SHA-256", "SHA-384", "SHA-512", "SHA-256", "SHA-1");
    AlgorithmIdentifier certificateDigest = new AlgorithmIdentifier(new ASN1ObjectIdentifier(
        Party.pick(random, "1.3.14.3.2.26", "2.16.840.1.101.3.4.2.1", "2.16.840.1.101.3.4.2.3")));
    long moved = Party.chance(random, 5) ? Party.pick(random, -400L, 400L) : 0;
    long genTime = now + Party.pick(random, 0L, 0L, 0L, -1L, -200L, -500L, 2L) * Party.DAY;
    int accuracy = Party.pick(random, 0, 0, 1, 59, 61);
    boolean carried = Party.chance(random, 95);
    Party authority = Party.issue(root, "CN=TSA,C=KZ", Party.keys(kind, random), now, moved, "SHA256", List.of(
        new Party.Added(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature)),
        new Party.Added(Extension.extendedKeyUsage, true, new ExtendedKeyUsage(KeyPurposeId.id_kp_timeStamping))));
    String what = String.join(", ", kind, digest, "imprint " + imprinted, "ESS " + certificateDigest.getAlgorithm(),
        "moved " + moved, "at " + new Date(genTime), "accuracy " + accuracy, "carried " + carried);

    DigestCalculatorProvider digests = new JcaDigestCalculatorProviderBuilder().setProvider("BC").build();
    TimeStampTokenGenerator generator = new TimeStampTokenGenerator(
        new JcaSignerInfoGeneratorBuilder(digests)
            .setSignedAttributeGenerator(new DefaultSignedAttributeTableGenerator(MessageWriter.timed(genTime)))
            .build(authority.signer(digest.replace("-", "")), authority.certificate()),
        digests.get(certificateDigest), new ASN1ObjectIdentifier("1.2.3.4"), Party.chance(random, 50));
    if (accuracy > 0) generator.setAccuracySeconds(accuracy);
    if (Party.chance(random, 20)) generator.setAccuracyMillis(500);
    if (Party.chance(random, 20)) generator.setOrdering(true);
    if (Party.chance(random, 20)) generator.setTSA(new GeneralName(authority.certificate().getSubject()));
    if (carried) generator.addCertificates(new CollectionStore<>(List.of(authority.certificate())));

    byte[] data = "a contract".getBytes();
    TimeStampRequestGenerator requests = new TimeStampRequestGenerator();
    requests.setCertReq(true);
    byte[] imprint = MessageDigest.getInstance(imprinted).digest(data);
    BigInteger nonce = Party.chance(random, 50) ? BigInteger.valueOf(random.nextLong()) : null;
    TimeStampRequest request = requests.generate(
        new ASN1ObjectIdentifier(oidOf(imprinted)), imprint, nonce);
    TimeStampToken token = generator.generate(request, BigInteger.valueOf(4711), new Date(genTime));
    byte[] given = Party.chance(random, 5) ? "another contract".getBytes() : data;
    byte[] octets = Party.chance(random, 50) ? token.getEncoded("DER") : token.getEncoded();
    return List.of(LineServer.one(what), LineServer.one(root.der()), LineServer.one(octets), LineServer.one(given));
  }

  private static String oidOf(String digest) {
    return switch (digest) {
      case "SHA-1" -> "1.3.14.3.2.26";
      case "SHA-384" -> "2.16.840.1.101.3.4.2.2";
      case "SHA-512" -> "2.16.840.1.101.3.4.2.3";
      default -> "2.16.840.1.101.3.4.2.1";
    };
  }

  private StampWriter() {}
}
