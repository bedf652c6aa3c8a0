import java.math.BigInteger;
import java.util.*;
import org.bouncycastle.asn1.*;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.*;
import org.bouncycastle.cert.X509v2CRLBuilder;

/** Writes a path with CRLs by BouncyCastle with random choices. */
final class PathWriter {
  private static final String[] HOSTS = {"a.example.com", "example.com", "example.org"};
  /** A delta CRL has to name the key that the complete one names. */
  private static final AuthorityKeyIdentifier KEY = new AuthorityKeyIdentifier(new byte[] {1, 2, 3});

  /** Fields: seed, moment. Answers: what was chosen, anchor, others, leaf, CRLs. */
  static List<List<byte[]>> write(LineServer.Fields fields) throws Exception {
    Random random = new Random(fields.number(0));
    long now = fields.number(1);
    List<Party> path = new ArrayList<>(List.of(Party.root(now, random)));
    List<String> what = new ArrayList<>();
    for (int depth = random.nextInt(4); depth > 0; depth -= 1) path.add(issue(last(path), true, now, random, what));
    path.add(issue(last(path), false, now, random, what));
    List<byte[]> others = new ArrayList<>();
    for (Party party : path.subList(1, path.size() - 1)) others.add(party.der());
    List<byte[]> crls = new ArrayList<>();
    for (int index = 1; index < path.size(); index += 1)
      if (Party.chance(random, 97)) crls.addAll(list(path.get(index - 1), path.get(index), now, random, what));
    return List.of(LineServer.one(String.join(", ", what)), LineServer.one(path.get(0).der()), others,
        LineServer.one(last(path).der()), crls);
  }

  private static Party last(List<Party> path) {
    return path.get(path.size() - 1);
  }

  /** Somebody's certificate, now and then with something odd about it. */
  private static Party issue(Party by, boolean authority, long now, Random random, List<String> what) throws Exception {
    List<Party.Added> added = new ArrayList<>();
    if (authority) added.addAll(Party.authority(random.nextInt(6) - 3));
    else added.add(new Party.Added(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature)));
    String odd = Party.chance(random, 75) ? "" : Party.pick(random, "no constraints", "no usage", "unknown critical", "expired",
        "another key signed", "SHA-1", "RSA of 1024");
    if (odd.equals("no constraints")) added.removeIf(one -> one.type().equals(Extension.basicConstraints));
    if (odd.equals("no usage")) added.removeIf(one -> one.type().equals(Extension.keyUsage));
    if (odd.equals("unknown critical"))
      added.add(new Party.Added(new ASN1ObjectIdentifier("1.2.3.4"), true, DERNull.INSTANCE));
    if (authority && Party.chance(random, 20)) added.add(constraints(random));
    if (Party.chance(random, 40)) added.add(new Party.Added(Extension.subjectAlternativeName, false,
        new GeneralNames(new GeneralName(GeneralName.dNSName, Party.pick(random, HOSTS)))));
    if (Party.chance(random, 50)) added.add(new Party.Added(Extension.certificatePolicies, false,
        new CertificatePolicies(new PolicyInformation(new ASN1ObjectIdentifier(Party.pick(random, "1.2.3.1", "1.2.3.2"))))));
    if (authority && Party.chance(random, 15)) added.add(new Party.Added(Extension.policyConstraints, true,
        new PolicyConstraints(BigInteger.valueOf(random.nextInt(2)), null)));
    what.add(odd);
    Party signer = odd.equals("another key signed") ? new Party(by.certificate(), Party.keys("P-256", random)) : by;
    String name = "C=KZ,O=Org,CN=" + (authority ? "Authority " : "Leaf ") + random.nextInt(1_000_000);
    String kind = odd.equals("RSA of 1024") ? "RSA1024" : Party.pick(random, "P-256", "P-384", "RSA2048");
    String digest = odd.equals("SHA-1") ? "SHA1" : Party.pick(random, "SHA256", "SHA384", "SHA512");
    return Party.issue(signer, name, Party.keys(kind, random), now, odd.equals("expired") ? -400 : 0, digest, added);
  }

  private static Party.Added constraints(Random random) {
    GeneralSubtree[] trees = {Party.chance(random, 70)
        ? new GeneralSubtree(new GeneralName(GeneralName.dNSName, Party.pick(random, HOSTS)))
        : new GeneralSubtree(new GeneralName(new X500Name("C=KZ")))};
    boolean permitted = Party.chance(random, 60);
    return new Party.Added(Extension.nameConstraints, true,
        new NameConstraints(permitted ? trees : null, permitted ? null : trees));
  }

  /** A CRL that should say that the certificate is good, or two of them, where the second is a delta. */
  private static List<byte[]> list(Party by, Party about, long now, Random random, List<String> what) throws Exception {
    String odd = Party.chance(random, 75) ? "" : Party.pick(random, "revoked", "revoked later", "stale", "another key signed",
        "of authorities", "of users", "unknown critical", "delta", "delta that revokes", "on hold");
    what.add("CRL " + odd);
    boolean revoked = odd.startsWith("revoked") || odd.equals("on hold");
    X509v2CRLBuilder builder = builder(by, now, odd.equals("stale") ? -1 : 1);
    if (revoked) builder.addCRLEntry(about.certificate().getSerialNumber(),
        new Date(odd.equals("revoked later") ? now + Party.DAY : now - Party.DAY),
        odd.equals("on hold") ? CRLReason.certificateHold : CRLReason.superseded);
    else builder.addCRLEntry(BigInteger.valueOf(7), new Date(now - Party.DAY), CRLReason.superseded);
    builder.addExtension(Extension.cRLNumber, false, new ASN1Integer(5));
    builder.addExtension(Extension.authorityKeyIdentifier, false, KEY);
    if (odd.startsWith("of ")) builder.addExtension(Extension.issuingDistributionPoint, true,
        new IssuingDistributionPoint(null, odd.equals("of users"), odd.equals("of authorities")));
    if (odd.equals("unknown critical")) builder.addExtension(new ASN1ObjectIdentifier("1.2.3.4"), true, DERNull.INSTANCE);
    Party signer = odd.equals("another key signed") ? new Party(by.certificate(), Party.keys("P-256", random)) : by;
    byte[] complete = builder.build(signer.signer("SHA256")).getEncoded();
    if (!odd.startsWith("delta")) return List.of(complete);
    X509v2CRLBuilder delta = builder(by, now, 1);
    if (odd.equals("delta that revokes"))
      delta.addCRLEntry(about.certificate().getSerialNumber(), new Date(now - 500), CRLReason.keyCompromise);
    delta.addExtension(Extension.cRLNumber, false, new ASN1Integer(6));
    delta.addExtension(Extension.authorityKeyIdentifier, false, KEY);
    delta.addExtension(Extension.deltaCRLIndicator, true, new ASN1Integer(5));
    return List.of(complete, delta.build(by.signer("SHA256")).getEncoded());
  }

  private static X509v2CRLBuilder builder(Party by, long now, int days) {
    X509v2CRLBuilder builder = new X509v2CRLBuilder(by.certificate().getSubject(), new Date(now - 3 * Party.DAY));
    return builder.setNextUpdate(new Date(now + days * Party.DAY));
  }

  private PathWriter() {}
}
