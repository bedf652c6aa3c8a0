import java.io.ByteArrayInputStream;
import java.security.MessageDigest;
import java.security.Security;
import java.security.cert.*;
import java.util.*;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.ocsp.BasicOCSPResp;
import org.bouncycastle.cert.ocsp.OCSPResp;
import org.bouncycastle.cert.ocsp.SingleResp;
import org.bouncycastle.cms.*;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoVerifierBuilder;
import org.bouncycastle.jcajce.PKIXExtendedBuilderParameters;
import org.bouncycastle.jcajce.PKIXExtendedParameters;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.operator.DigestCalculatorProvider;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;
import org.bouncycastle.tsp.TimeStampToken;
import org.bouncycastle.util.Selector;

/** Judges paths, CMS, time stamps and OCSP answers by BouncyCastle, and writes some for others to judge. */
final class BouncyCastle {
  static final List<List<byte[]>> GOOD = List.of();

  public static void main(String[] arguments) throws Exception {
    Security.addProvider(new BouncyCastleProvider());
    LineServer.serve(Map.ofEntries(
        Map.entry("path", BouncyCastle::path), Map.entry("message", BouncyCastle::message),
        Map.entry("stamp", BouncyCastle::stamp), Map.entry("answer", BouncyCastle::answer),
        Map.entry("long-term", LongTermReader::read), Map.entry("record", RecordKeeper::read),
        Map.entry("write-path", PathWriter::write), Map.entry("write-message", MessageWriter::write),
        Map.entry("write-stamp", StampWriter::write), Map.entry("write-answer", AnswerWriter::write),
        Map.entry("write-records", RecordKeeper::write)));
  }

  /** Fields: time, anchor, others, leaf, whether CRLs are to decide, CRLs. */
  private static List<List<byte[]>> path(LineServer.Fields fields) throws Exception {
    List<X509Certificate> others = certificates(fields.list(2));
    List<X509CRL> crls = new ArrayList<>();
    for (byte[] crl : fields.list(5)) crls.add((X509CRL) factory().generateCRL(new ByteArrayInputStream(crl)));
    boolean decide = fields.text(4).equals("true");
    build(certificate(fields.octets(3)), certificate(fields.octets(1)), others, decide ? crls : null, fields.number(0));
    return GOOD;
  }

  /** Fields: time, anchor, others, CMS, data. */
  private static List<List<byte[]>> message(LineServer.Fields fields) throws Exception {
    CMSSignedData signed = new CMSSignedData(fields.octets(3));
    byte[] data = fields.octets(4);
    if (signed.isDetachedSignature()) signed = new CMSSignedData(new CMSProcessableByteArray(data), fields.octets(3));
    else require(Arrays.equals((byte[]) signed.getSignedContent().getContent(), data), "other data");
    Collection<SignerInformation> signers = signed.getSignerInfos().getSigners();
    require(!signers.isEmpty(), "no signer");
    for (SignerInformation signer : signers)
      build(verified(signed, signer), certificate(fields.octets(1)), known(fields, signed), null, fields.number(0));
    return GOOD;
  }

  private static X509Certificate verified(CMSSignedData signed, SignerInformation signer) throws Exception {
    Selector<X509CertificateHolder> named = signer.getSID();
    X509CertificateHolder holder = onlyOne(signed.getCertificates().getMatches(named));
    require(signer.verify(new JcaSimpleSignerInfoVerifierBuilder().setProvider("BC").build(holder)), "signature");
    return new JcaX509CertificateConverter().setProvider("BC").getCertificate(holder);
  }

  /** Fields: time, anchor, others, token, data. */
  private static List<List<byte[]>> stamp(LineServer.Fields fields) throws Exception {
    TimeStampToken token = stamped(fields.octets(3), fields.octets(4));
    X509Certificate signer = new JcaX509CertificateConverter().setProvider("BC").getCertificate(signerOf(token));
    long time = token.getTimeStampInfo().getGenTime().getTime();
    build(signer, certificate(fields.octets(1)), known(fields, token.toCMSSignedData()), null, time);
    return GOOD;
  }

  /** A token that is signed by a certificate of its own, and over these octets. */
  static TimeStampToken stamped(byte[] der, byte[] data) throws Exception {
    TimeStampToken token = new TimeStampToken(new CMSSignedData(der));
    token.validate(new JcaSimpleSignerInfoVerifierBuilder().setProvider("BC").build(signerOf(token)));
    String digest = token.getTimeStampInfo().getMessageImprintAlgOID().getId();
    byte[] imprint = MessageDigest.getInstance(digest, "BC").digest(data);
    require(Arrays.equals(imprint, token.getTimeStampInfo().getMessageImprintDigest()), "imprint");
    return token;
  }

  private static X509CertificateHolder signerOf(TimeStampToken token) {
    Selector<X509CertificateHolder> named = token.getSID();
    return onlyOne(token.toCMSSignedData().getCertificates().getMatches(named));
  }

  /** Fields: time, response, certificate, issuer. */
  private static List<List<byte[]>> answer(LineServer.Fields fields) throws Exception {
    X509Certificate certificate = certificate(fields.octets(2));
    requireAbout(new OCSPResp(fields.octets(1)), certificate, new X509CertificateHolder(fields.octets(3)));
    CertPathValidator validator = CertPathValidator.getInstance("PKIX", "BC");
    PKIXRevocationChecker checker = (PKIXRevocationChecker) validator.getRevocationChecker();
    checker.setOcspResponses(Map.of(certificate, fields.octets(1)));
    checker.setOptions(Set.of(PKIXRevocationChecker.Option.NO_FALLBACK));
    TrustAnchor issuer = new TrustAnchor(certificate(fields.octets(3)), null);
    PKIXParameters parameters = new PKIXParameters(Set.of(issuer));
    parameters.setDate(new Date(fields.number(0)));
    parameters.addCertPathChecker(checker);
    validator.validate(factory().generateCertPath(List.of(certificate)), parameters);
    return GOOD;
  }

  /** The checker of paths passes over answers whose signature is wrong, or that are about others: so that is asked here. */
  private static void requireAbout(OCSPResp response, X509Certificate certificate, X509CertificateHolder issuer)
      throws Exception {
    BasicOCSPResp basic = (BasicOCSPResp) response.getResponseObject();
    require(basic != null, "no answer");
    X509CertificateHolder[] carried = basic.getCerts();
    X509CertificateHolder signer = carried.length > 0 ? carried[0] : issuer;
    require(basic.isSignatureValid(new JcaContentVerifierProviderBuilder().setProvider("BC").build(signer)), "signature");
    DigestCalculatorProvider digests = new JcaDigestCalculatorProviderBuilder().setProvider("BC").build();
    boolean isAbout = false;
    for (SingleResp one : basic.getResponses())
      if (one.getCertID().getSerialNumber().equals(certificate.getSerialNumber()))
        isAbout |= one.getCertID().matchesIssuer(issuer, digests);
    require(isAbout, "about another certificate");
  }

  /** Finds a path that holds; CRLs decide where there are any, and an empty list of them proves nothing. */
  private static void build(
      X509Certificate leaf, X509Certificate anchor, List<X509Certificate> others, List<X509CRL> crls, long time)
      throws Exception {
    X509CertSelector target = new X509CertSelector();
    target.setCertificate(leaf);
    PKIXBuilderParameters parameters = new PKIXBuilderParameters(Set.of(new TrustAnchor(anchor, null)), target);
    List<Object> known = new ArrayList<>(others);
    known.add(leaf);
    if (crls != null) known.addAll(crls);
    parameters.addCertStore(CertStore.getInstance("Collection", new CollectionCertStoreParameters(known), "BC"));
    parameters.setRevocationEnabled(crls != null);
    parameters.setDate(new Date(time));
    PKIXExtendedParameters all = new PKIXExtendedParameters.Builder(parameters).setUseDeltasEnabled(true).build();
    CertPathBuilder.getInstance("PKIX", "BC")
        .build(new PKIXExtendedBuilderParameters.Builder(all).setMaxPathLength(-1).build());
  }

  /** The others that are known, and what the CMS brings along. */
  private static List<X509Certificate> known(LineServer.Fields fields, CMSSignedData signed) throws Exception {
    List<X509Certificate> known = certificates(fields.list(2));
    JcaX509CertificateConverter converter = new JcaX509CertificateConverter().setProvider("BC");
    for (X509CertificateHolder holder : signed.getCertificates().getMatches(null)) known.add(converter.getCertificate(holder));
    return known;
  }

  static X509CertificateHolder onlyOne(Collection<X509CertificateHolder> found) {
    require(new HashSet<>(found).size() == 1, found.size() + " certificates of the signer");
    return found.iterator().next();
  }

  private static List<X509Certificate> certificates(List<byte[]> all) throws Exception {
    List<X509Certificate> found = new ArrayList<>();
    for (byte[] one : all) found.add(certificate(one));
    return found;
  }

  private static X509Certificate certificate(byte[] der) throws Exception {
    return (X509Certificate) factory().generateCertificate(new ByteArrayInputStream(der));
  }

  private static CertificateFactory factory() throws Exception {
    return CertificateFactory.getInstance("X.509", "BC");
  }

  static void require(boolean holds, String what) {
    if (!holds) throw new IllegalArgumentException(what);
  }

  private BouncyCastle() {}
}
