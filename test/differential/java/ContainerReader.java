import java.io.FileInputStream;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Reads a ZIP file as a stream, and what is in it: prints the SHA-256 and the name of each file, those inside *.asics too. */
public final class ContainerReader {
  public static void main(String[] arguments) throws Exception {
    try (InputStream file = new FileInputStream(arguments[0])) {
      print(new ZipInputStream(file), "");
    }
  }

  private static void print(ZipInputStream container, String before) throws Exception {
    for (ZipEntry entry = container.getNextEntry(); entry != null; entry = container.getNextEntry()) {
      String name = before + entry.getName();
      if (name.endsWith(".asics")) {
        print(new ZipInputStream(container), name + "!/");
        container.closeEntry();
        continue;
      }
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] buffer = new byte[65536];
      for (int read = container.read(buffer); read >= 0; read = container.read(buffer)) digest.update(buffer, 0, read);
      System.out.println(HexFormat.of().formatHex(digest.digest()) + " " + name);
    }
  }
}
