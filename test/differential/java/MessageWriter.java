import static org.bouncycastle.asn1.cms.CMSAttributes.signingTime;
import static org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers.id_aa_signingCertificate;
import static org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers.id_aa_signingCertificateV2;

import java.security.MessageDigest;
import java.util.*;
import org.bouncycastle.asn1.*;
import org.bouncycastle.asn1.cms.Attribute;
import org.bouncycastle.asn1.cms.AttributeTable;
import org.bouncycastle.asn1.cms.Time;
import org.bouncycastle.asn1.ess.*;
import org.bouncycastle.asn1.x509.*;
import org.bouncycastle.cms.*;
import org.bouncycastle.cms.jcajce.JcaSignerInfoGeneratorBuilder;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;
import org.bouncycastle.util.CollectionStore;

/** Writes a CMS by BouncyCastle with random choices. */
final class MessageWriter {
  /** Fields: seed, moment. Answers: what was chosen, anchor, CMS, data. */
  static List<List<byte[]>> write(LineServer.Fields fields) throws Exception {
    Random random = new Random(fields.number(0));
    long now = fields.number(1);
    Party root = Party.root(now, random);
    String kind = Party.pick(random, "RSA2048", "RSA3072", "P-256", "P-384", "P-521");
    String digest = Party.pick(random, "SHA256", "SHA384", "SHA512", "SHA256", "SHA3-256", "SHA1");
    boolean pss = kind.startsWith("RSA") && Party.chance(random, 40);
    String algorithm = pss ? digest + "withRSAandMGF1" : digest;
    long moved = Party.chance(random, 5) ? Party.pick(random, -400L, 400L) : 0;
    Party signer = Party.issue(root, "CN=Signer,C=KZ", Party.keys(kind, random), now, moved, "SHA256", List.of(
        new Party.Added(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature)),
        new Party.Added(Extension.subjectKeyIdentifier, false, new SubjectKeyIdentifier(new byte[] {1, 2, 3}))));

    String ess = Party.pick(random, "none", "v1", "v2", "v2", "v2 of another");
    boolean timed = Party.chance(random, 60);
    boolean attached = Party.chance(random, 40);
    boolean direct = Party.chance(random, 5);
    boolean byKey = Party.chance(random, 15);
    boolean counter = Party.chance(random, 15);
    String encoding = Party.pick(random, "as it is", "DER", "DL");
    byte[] data = "a contract".getBytes();

    JcaSignerInfoGeneratorBuilder infos = new JcaSignerInfoGeneratorBuilder(
        new JcaDigestCalculatorProviderBuilder().setProvider("BC").build());
    infos.setDirectSignature(direct);
    AttributeTable attributes = attributes(ess, timed ? now : 0, ess.endsWith("another") ? root : signer);
    infos.setSignedAttributeGenerator(new DefaultSignedAttributeTableGenerator(attributes) {
      @Override
      protected Hashtable createStandardAttributeTable(Map parameters) {
        Hashtable table = super.createStandardAttributeTable(parameters);
        if (!timed) table.remove(signingTime);
        return table;
      }
    });
    CMSSignedDataGenerator generator = new CMSSignedDataGenerator();
    generator.addSignerInfoGenerator(byKey
        ? infos.build(signer.signer(algorithm), new byte[] {1, 2, 3})
        : infos.build(signer.signer(algorithm), signer.certificate()));
    generator.addCertificates(new CollectionStore<>(List.of(signer.certificate())));
    CMSSignedData signed = generator.generate(new CMSProcessableByteArray(data), attached);
    if (counter) signed = countersigned(signed, generator);

    byte[] given = Party.chance(random, 5) ? "another contract".getBytes() : data;
    byte[] cms = encoding.equals("as it is") ? signed.getEncoded() : signed.toASN1Structure().getEncoded(encoding);
    String what = String.join(", ", kind, algorithm, "ESS " + ess, "moved " + moved, "timed " + timed,
        "attached " + attached, "direct " + direct, "by key " + byKey, "counter-signed " + counter, encoding);
    return List.of(LineServer.one(what), LineServer.one(root.der()), LineServer.one(cms), LineServer.one(given));
  }

  private static CMSSignedData countersigned(CMSSignedData signed, CMSSignedDataGenerator by) throws Exception {
    SignerInformation first = signed.getSignerInfos().getSigners().iterator().next();
    SignerInformationStore counters = by.generateCounterSigners(first);
    SignerInformation both = SignerInformation.addCounterSigners(first, counters);
    return CMSSignedData.replaceSigners(signed, new SignerInformationStore(both));
  }

  /** Signed attributes that tell when it was signed; else it is the system's time. */
  static AttributeTable timed(long time) {
    return new AttributeTable(new DERSet(new Attribute(signingTime, new DERSet(new Time(new Date(time))))));
  }

  private static AttributeTable attributes(String ess, long time, Party named) throws Exception {
    Hashtable<ASN1ObjectIdentifier, Attribute> table = new Hashtable<>();
    if (time > 0) add(table, signingTime, new Time(new Date(time)));
    if (ess.equals("v1")) {
      byte[] hash = MessageDigest.getInstance("SHA-1").digest(named.der());
      add(table, id_aa_signingCertificate, new SigningCertificate(new ESSCertID(hash)));
    } else if (ess.startsWith("v2")) {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(named.der());
      add(table, id_aa_signingCertificateV2, new SigningCertificateV2(new ESSCertIDv2(hash)));
    }
    return new AttributeTable(table);
  }

  private static void add(Map<ASN1ObjectIdentifier, Attribute> table, ASN1ObjectIdentifier type, ASN1Encodable value) {
    table.put(type, new Attribute(type, new DERSet(value)));
  }

  private MessageWriter() {}
}
