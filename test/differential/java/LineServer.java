import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * Answers lines of standard input with lines of standard output. A request is a command and its fields; a field is a list
 * of octets in base64 with commas between, or "-" for none. An answer is "ok" and such fields, or "refused" and why.
 */
final class LineServer {
  interface Command {
    /** What to answer with; whatever is thrown is a refusal. */
    List<List<byte[]>> run(Fields fields) throws Exception;
  }

  record Fields(List<List<byte[]>> all) {
    List<byte[]> list(int index) { return all.get(index); }
    byte[] octets(int index) { return all.get(index).get(0); }
    String text(int index) { return new String(octets(index), StandardCharsets.UTF_8); }
    long number(int index) { return Long.parseLong(text(index)); }
  }

  static void serve(Map<String, Command> commands) throws Exception {
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    PrintStream answers = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    for (String line; (line = lines.readLine()) != null; answers.flush()) answers.println(answer(line, commands));
  }

  private static String answer(String line, Map<String, Command> commands) {
    String[] words = line.split(" ");
    List<List<byte[]>> fields = new ArrayList<>();
    for (int index = 1; index < words.length; index += 1) fields.add(decoded(words[index]));
    try {
      StringBuilder answer = new StringBuilder("ok");
      for (List<byte[]> field : commands.get(words[0]).run(new Fields(fields))) answer.append(' ').append(encoded(field));
      return answer.toString();
    } catch (Exception | StackOverflowError refusal) {
      Throwable cause = refusal;
      while (cause.getCause() != null) cause = cause.getCause();
      return "refused " + (cause.getClass().getSimpleName() + ": " + cause.getMessage()).replaceAll("\\s+", " ");
    }
  }

  private static List<byte[]> decoded(String field) {
    List<byte[]> list = new ArrayList<>();
    if (!field.equals("-")) for (String one : field.split(",", -1)) list.add(Base64.getDecoder().decode(one));
    return list;
  }

  private static String encoded(List<byte[]> field) {
    if (field.isEmpty()) return "-";
    return String.join(",", field.stream().map(Base64.getEncoder()::encodeToString).toList());
  }

  /** Fields of an answer. */
  static List<byte[]> one(byte[] octets) { return List.of(octets); }
  static List<byte[]> one(String text) { return one(text.getBytes(StandardCharsets.UTF_8)); }

  private LineServer() {}
}
