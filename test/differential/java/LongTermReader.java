import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.cms.Attribute;
import org.bouncycastle.asn1.cms.CMSObjectIdentifiers;
import org.bouncycastle.asn1.ocsp.OCSPResponse;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.cert.X509CRLHolder;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.ocsp.BasicOCSPResp;
import org.bouncycastle.cert.ocsp.OCSPResp;
import org.bouncycastle.cms.*;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoVerifierBuilder;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.util.Selector;

/** Reads a CMS with its evidence where CAdES-B-LT has it, and verifies every signature in it; paths are not its matter. */
final class LongTermReader {
  /** Fields: detached CMS, data. Answers: version, certificates, OCSP responses, CRLs, time-stamp tokens. */
  static List<List<byte[]>> read(LineServer.Fields fields) throws Exception {
    CMSSignedData signed = new CMSSignedData(new CMSProcessableByteArray(fields.octets(1)), fields.octets(0));
    List<byte[]> stamps = new ArrayList<>();
    for (SignerInformation signer : signed.getSignerInfos().getSigners()) {
      requireVerified(signed, signer);
      for (ASN1Encodable token : stampsOf(signer)) {
        byte[] der = token.toASN1Primitive().getEncoded();
        BouncyCastle.stamped(der, signer.getSignature());
        stamps.add(der);
      }
    }
    BouncyCastle.require(!stamps.isEmpty(), "no time stamp");
    List<byte[]> certificates = new ArrayList<>();
    for (X509CertificateHolder one : signed.getCertificates().getMatches(null)) certificates.add(one.getEncoded());
    List<byte[]> crls = new ArrayList<>();
    for (X509CRLHolder one : signed.getCRLs().getMatches(null)) crls.add(one.getEncoded());
    return List.of(LineServer.one(String.valueOf(signed.getVersion())), certificates, answers(signed), crls, stamps);
  }

  private static void requireVerified(CMSSignedData signed, SignerInformation signer) throws Exception {
    Selector<X509CertificateHolder> named = signer.getSID();
    X509CertificateHolder holder = BouncyCastle.onlyOne(signed.getCertificates().getMatches(named));
    BouncyCastle.require(
        signer.verify(new JcaSimpleSignerInfoVerifierBuilder().setProvider("BC").build(holder)), "signature");
  }

  private static List<ASN1Encodable> stampsOf(SignerInformation signer) {
    Attribute attribute = signer.getUnsignedAttributes().get(PKCSObjectIdentifiers.id_aa_signatureTimeStampToken);
    return attribute == null ? List.of() : List.of(attribute.getAttributeValues());
  }

  /** OCSP responses of SignedData, each signed by the certificate that it brings along. */
  private static List<byte[]> answers(CMSSignedData signed) throws Exception {
    List<byte[]> answers = new ArrayList<>();
    Collection<ASN1Encodable> infos =
        signed.getOtherRevocationInfo(CMSObjectIdentifiers.id_ri_ocsp_response).getMatches(null);
    for (ASN1Encodable info : infos) {
      OCSPResp response = new OCSPResp(OCSPResponse.getInstance(info));
      BasicOCSPResp basic = (BasicOCSPResp) response.getResponseObject();
      X509CertificateHolder responder = basic.getCerts()[0];
      BouncyCastle.require(
          basic.isSignatureValid(new JcaContentVerifierProviderBuilder().setProvider("BC").build(responder)), "answer");
      answers.add(response.getEncoded());
    }
    return answers;
  }

  private LongTermReader() {}
}
