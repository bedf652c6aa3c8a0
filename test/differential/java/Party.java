import java.math.BigInteger;
import java.security.*;
import java.security.spec.ECGenParameterSpec;
import java.util.*;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.*;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.*;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A certificate of BouncyCastle's making, and its key. */
record Party(X509CertificateHolder certificate, KeyPair keys) {
  static final long DAY = 24L * 3600 * 1000;
  private static final Map<String, KeyPair> SHARED = new HashMap<>();
  private static long lastSerial = 1_000;

  /** What a certificate says beside its name, key and validity. */
  record Added(org.bouncycastle.asn1.ASN1ObjectIdentifier type, boolean critical, org.bouncycastle.asn1.ASN1Encodable value) {}

  /** RSA keys are slow to make: there are two for each size; other kinds are curves. */
  static KeyPair keys(String kind, Random random) throws Exception {
    if (kind.startsWith("RSA")) {
      String name = kind + random.nextInt(2);
      if (!SHARED.containsKey(name)) {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA", "BC");
        generator.initialize(Integer.parseInt(kind.substring(3)));
        SHARED.put(name, generator.generateKeyPair());
      }
      return SHARED.get(name);
    }
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC", "BC");
    generator.initialize(new ECGenParameterSpec(kind));
    return generator.generateKeyPair();
  }

  /** Issued by somebody, or by itself; valid for a year before and after the moment, moved by some days. */
  static Party issue(Party by, String name, KeyPair keys, long now, long moved, String algorithm, List<Added> added)
      throws Exception {
    X500Name subject = new X500Name(name);
    X500Name issuer = by == null ? subject : by.certificate.getSubject();
    Date from = new Date(now - 365 * DAY + moved * DAY);
    Date until = new Date(now + 365 * DAY + moved * DAY);
    lastSerial += 1;
    JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
        issuer, BigInteger.valueOf(lastSerial), from, until, subject, keys.getPublic());
    for (Added one : added) builder.addExtension(one.type, one.critical, one.value);
    return new Party(builder.build(signer(by == null ? keys : by.keys, algorithm)), keys);
  }

  static Party root(long now, Random random) throws Exception {
    return issue(null, "CN=Root of BouncyCastle,C=KZ", keys("P-256", random), now, 0, "SHA256", authority(-1));
  }

  /** What an authority's certificate has to say; a negative path length is none. */
  static List<Added> authority(int pathLength) {
    BasicConstraints constraints = pathLength < 0 ? new BasicConstraints(true) : new BasicConstraints(pathLength);
    return List.of(
        new Added(Extension.basicConstraints, true, constraints),
        new Added(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign)));
  }

  /** By that digest, or by a whole name such as SHA256withRSAandMGF1. */
  static ContentSigner signer(KeyPair keys, String algorithm) throws Exception {
    String key = keys.getPublic().getAlgorithm().equals("RSA") ? "RSA" : "ECDSA";
    String name = algorithm.contains("with") ? algorithm : algorithm + "with" + key;
    return new JcaContentSignerBuilder(name).setProvider("BC").build(keys.getPrivate());
  }

  ContentSigner signer(String algorithm) throws Exception {
    return signer(keys, algorithm);
  }

  byte[] der() throws Exception {
    return certificate.getEncoded();
  }

  static boolean chance(Random random, int percent) {
    return random.nextInt(100) < percent;
  }

  @SafeVarargs
  static <T> T pick(Random random, T... from) {
    return from[random.nextInt(from.length)];
  }
}
