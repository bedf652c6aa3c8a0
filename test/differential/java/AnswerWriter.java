import java.math.BigInteger;
import java.util.*;
import org.bouncycastle.asn1.*;
import org.bouncycastle.asn1.ocsp.OCSPObjectIdentifiers;
import org.bouncycastle.asn1.x509.*;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.ocsp.*;
import org.bouncycastle.operator.DigestCalculatorProvider;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;

/** Writes an OCSP answer by BouncyCastle with random choices. */
final class AnswerWriter {
  /** Fields: seed, moment. Answers: what was chosen, anchor, response, certificate. */
  static List<List<byte[]>> write(LineServer.Fields fields) throws Exception {
    Random random = new Random(fields.number(0));
    long now = fields.number(1);
    Party issuer = Party.root(now, random);
    Party stranger = Party.root(now, random);
    Party certified = Party.issue(issuer, "CN=Leaf,C=KZ", Party.keys("P-256", random), now, 0, "SHA256", List.of());
    String by = Party.pick(random, "issuer", "delegate", "delegate", "delegate", "stranger", "no delegate", "expired");
    Party responder = by.equals("issuer") ? issuer : delegate(by.equals("stranger") ? stranger : issuer, by, now, random);
    AlgorithmIdentifier hash = new AlgorithmIdentifier(new ASN1ObjectIdentifier(
        Party.pick(random, "1.3.14.3.2.26", "2.16.840.1.101.3.4.2.1", "2.16.840.1.101.3.4.2.3")), DERNull.INSTANCE);
    String status = Party.pick(random, "good", "good", "good", "good", "revoked", "revoked later", "unknown");
    String about = Party.pick(random, "it", "it", "it", "it", "it", "another", "another issuer", "several");
    long from = now + Party.pick(random, 0L, 0L, 0L, 0L, -60L, -600L, 600L) * 1000;
    Long until = Party.pick(random, null, null, now + Party.DAY, now - Party.DAY);
    boolean byName = Party.chance(random, 40);
    boolean carried = Party.chance(random, 90);
    String algorithm = Party.pick(random, "SHA256", "SHA384", "SHA512", "SHA1");
    String what = String.join(", ", "by " + by, hash.getAlgorithm().getId(), status, "about " + about,
        "from " + (from - now), "until " + until, "by name " + byName, "carried " + carried, algorithm);

    DigestCalculatorProvider digests = new JcaDigestCalculatorProviderBuilder().setProvider("BC").build();
    BasicOCSPRespBuilder builder = new BasicOCSPRespBuilder(byName
        ? new RespID(responder.certificate().getSubject())
        : new RespID(responder.certificate().getSubjectPublicKeyInfo(), digests.get(CertificateID.HASH_SHA1)));
    X509CertificateHolder named = about.equals("another issuer") ? stranger.certificate() : issuer.certificate();
    BigInteger serial = certified.certificate().getSerialNumber();
    BigInteger other = serial.add(BigInteger.ONE);
    CertificateID id = new CertificateID(digests.get(hash), named, about.equals("another") ? other : serial);
    CertificateID more = new CertificateID(digests.get(hash), named, other);
    Date end = until == null ? null : new Date(until);
    if (about.equals("several")) builder.addResponse(more, CertificateStatus.GOOD, new Date(from), end, null);
    builder.addResponse(id, statusOf(status, now), new Date(from), end, null);
    if (Party.chance(random, 20)) builder.setResponseExtensions(new Extensions(
        new Extension(OCSPObjectIdentifiers.id_pkix_ocsp_nonce, false, new DEROctetString(new byte[16]).getEncoded())));
    X509CertificateHolder[] chain = carried ? new X509CertificateHolder[] {responder.certificate()} : null;
    BasicOCSPResp basic = builder.build(responder.signer(algorithm), chain, new Date(from));
    byte[] response = new OCSPRespBuilder().build(OCSPRespBuilder.SUCCESSFUL, basic).getEncoded();
    return List.of(LineServer.one(what), LineServer.one(issuer.der()), LineServer.one(response), LineServer.one(certified.der()));
  }

  private static Party delegate(Party by, String kind, long now, Random random) throws Exception {
    KeyPurposeId purpose = kind.equals("no delegate") ? KeyPurposeId.id_kp_emailProtection : KeyPurposeId.id_kp_OCSPSigning;
    return Party.issue(by, "CN=Responder,C=KZ", Party.keys("P-256", random), now, kind.equals("expired") ? -400 : 0, "SHA256", List.of(
        new Party.Added(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature)),
        new Party.Added(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose)),
        new Party.Added(OCSPObjectIdentifiers.id_pkix_ocsp_nocheck, false, DERNull.INSTANCE)));
  }

  private static CertificateStatus statusOf(String status, long now) {
    return switch (status) {
      case "good" -> CertificateStatus.GOOD;
      case "revoked" -> new RevokedStatus(new Date(now - Party.DAY), CRLReason.keyCompromise);
      case "revoked later" -> new RevokedStatus(new Date(now + Party.DAY), CRLReason.superseded);
      default -> new UnknownStatus();
    };
  }

  private AnswerWriter() {}
}
