import java.io.ByteArrayInputStream;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.*;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.xml.security.Init;
import org.apache.xml.security.c14n.Canonicalizer;
import org.apache.xml.security.signature.XMLSignature;
import org.apache.xml.security.transforms.Transforms;
import org.apache.xml.security.transforms.params.InclusiveNamespaces;
import org.w3c.dom.*;

/** Canonicalizes, signs and judges XML by Apache Santuario. */
final class Santuario {
  private static final String DSIG = "http://www.w3.org/2000/09/xmldsig#";

  public static void main(String[] arguments) throws Exception {
    Init.init();
    LineServer.serve(Map.of("canonicalize", Santuario::canonicalize, "sign", Santuario::sign, "check", Santuario::check));
  }

  /** Fields: XML, method, prefixes, which element in the order of the document, or -1 for all of it. */
  private static List<List<byte[]>> canonicalize(LineServer.Fields fields) throws Exception {
    Document document = parsed(fields.octets(0));
    int index = (int) fields.number(3);
    Node apex = index < 0 ? document : document.getElementsByTagNameNS("*", "*").item(index);
    Canonicalizer canonicalizer = Canonicalizer.getInstance(fields.text(1));
    String prefixes = fields.text(2);
    return List.of(LineServer.one(prefixes.isEmpty()
        ? canonicalizer.canonicalizeSubtree(apex)
        : canonicalizer.canonicalizeSubtree(apex, prefixes)));
  }

  /** Fields: XML, canonicalization, signature method, digest method, URI, transforms, prefixes, PKCS #8, certificate. */
  private static List<List<byte[]>> sign(LineServer.Fields fields) throws Exception {
    Document document = parsed(fields.octets(0));
    XMLSignature signature = new XMLSignature(document, "", fields.text(2), fields.text(1));
    document.getDocumentElement().appendChild(signature.getElement());
    Transforms transforms = new Transforms(document);
    for (byte[] octets : fields.list(5)) {
      String transform = new String(octets);
      boolean prefixed = !fields.text(6).isEmpty() && transform.startsWith(Canonicalizer.ALGO_ID_C14N_EXCL_OMIT_COMMENTS);
      if (prefixed) transforms.addTransform(transform, new InclusiveNamespaces(document, fields.text(6)).getElement());
      else transforms.addTransform(transform);
    }
    signature.addDocument(fields.text(4), transforms, fields.text(3));
    X509Certificate certificate = certificate(fields.octets(8));
    signature.addKeyInfo(certificate);
    String algorithm = certificate.getPublicKey().getAlgorithm();
    PrivateKey key = KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(fields.octets(7)));
    signature.sign(key);
    Canonicalizer writer = Canonicalizer.getInstance(Canonicalizer.ALGO_ID_C14N_WITH_COMMENTS);
    return List.of(LineServer.one(writer.canonicalizeSubtree(document)));
  }

  /** Fields: XML, certificate. */
  private static List<List<byte[]>> check(LineServer.Fields fields) throws Exception {
    NodeList found = parsed(fields.octets(0)).getElementsByTagNameNS(DSIG, "Signature");
    if (found.getLength() != 1) throw new IllegalArgumentException(found.getLength() + " signatures");
    XMLSignature signature = new XMLSignature((Element) found.item(0), "", true);
    if (!signature.checkSignatureValue(certificate(fields.octets(1)).getPublicKey()))
      throw new IllegalArgumentException("a value or a digest is wrong");
    return List.of();
  }

  private static Document parsed(byte[] xml) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setNamespaceAware(true);
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    var builder = factory.newDocumentBuilder();
    builder.setErrorHandler(null);
    Document document = builder.parse(new ByteArrayInputStream(xml));
    NodeList elements = document.getElementsByTagNameNS("*", "*");
    for (int index = 0; index < elements.getLength(); index += 1) markIdentifiers((Element) elements.item(index));
    return document;
  }

  /** Without a DTD nothing says what identifies: as we have it, `Id`, `ID`, `id` and `xml:id`. */
  private static void markIdentifiers(Element element) {
    NamedNodeMap attributes = element.getAttributes();
    for (int index = 0; index < attributes.getLength(); index += 1) {
      Attr attribute = (Attr) attributes.item(index);
      if (Set.of("Id", "ID", "id", "xml:id").contains(attribute.getName())) element.setIdAttributeNode(attribute, true);
    }
  }

  private static X509Certificate certificate(byte[] der) throws Exception {
    return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
  }

  private Santuario() {}
}
