/*
 * A boiler that tells Noema each hour what it does, over HTTP, with nothing but libc and POSIX sockets. Each record
 * takes effect once, however often the link breaks and the power fails. What it reports is generated. It has no TLS:
 * README.md says what to do.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum {
  HOURS_A_DAY = 24,
  SILENCE_S = 10,          // after this long without a byte an attempt is given up
  IDLE_S = 4,              // workerd closes connections that were idle for 5 s
  FIRST_PAUSE_MS = 100,    // the longest pause before the first repetition; it doubles
  LONGEST_PAUSE_MS = 30000,
};

/* The one connection, and what has happened on it. */
static struct {
  const char *host, *port, *key;
  int socket;              // -1: none
  time_t used;             // when it was used last, in s of the monotonic clock
  long attempts, connections;
} server = {.socket = -1};

/* The latest answer, with its head. */
static char answer[16384];

static void die(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(1);
}

static struct timespec now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time;
}

/* ---- The file: the number of the last record, and the record. ---- */

/* Stores the record before it is sent. Either the old file is there afterwards, or the new one, whole. */
static void store(const char *file, uint64_t number, const char *record) {
  char fresh[512], folder[512];
  snprintf(fresh, sizeof fresh, "%s.new", file);
  snprintf(folder, sizeof folder, "%s", file);
  FILE *out = fopen(fresh, "w");
  if (out == NULL) die(fresh, strerror(errno));
  bool stored = fprintf(out, "%" PRIu64 " %s\n", number, record) > 0 && fflush(out) == 0 && fsync(fileno(out)) == 0;
  if (fclose(out) != 0 || !stored || rename(fresh, file) != 0) die(file, strerror(errno));
  int directory = open(dirname(folder), O_RDONLY);
  if (directory < 0 || fsync(directory) != 0) die(folder, strerror(errno));
  close(directory);
}

/* Reads the number of the last record, and the record. Returns false if there is no file yet. */
static bool load(const char *file, uint64_t *number, char record[256]) {
  FILE *in = fopen(file, "r");
  if (in == NULL && errno == ENOENT) return false;
  if (in == NULL) die(file, strerror(errno));
  if (fscanf(in, "%" SCNu64 " %255[^\n]", number, record) != 2) die(file, "holds no number and record");
  fclose(in);
  return true;
}

/* ---- HTTP: one connection that stays open. ---- */

static void hang_up(void) {
  if (server.socket >= 0) close(server.socket);
  server.socket = -1;
}

static bool dial(void) {
  struct addrinfo *found, hints = {.ai_socktype = SOCK_STREAM};
  if (getaddrinfo(server.host, server.port, &hints, &found) != 0) return false;
  for (struct addrinfo *each = found; each != NULL && server.socket < 0; each = each->ai_next) {
    server.socket = socket(each->ai_family, each->ai_socktype, each->ai_protocol);
    struct timeval silence = {.tv_sec = SILENCE_S};
    setsockopt(server.socket, SOL_SOCKET, SO_RCVTIMEO, &silence, sizeof silence);
    setsockopt(server.socket, SOL_SOCKET, SO_SNDTIMEO, &silence, sizeof silence);
    setsockopt(server.socket, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    if (server.socket >= 0 && connect(server.socket, each->ai_addr, each->ai_addrlen) != 0) hang_up();
  }
  freeaddrinfo(found);
  if (server.socket >= 0) server.connections++;
  return server.socket >= 0;
}

static bool send_all(const char *text) {
  for (size_t sent = 0, length = strlen(text); sent < length;) {
    // Without the flag, a connection that was closed would end the program by a signal.
    ssize_t some = send(server.socket, text + sent, length - sent, MSG_NOSIGNAL);
    if (some <= 0) return false;
    sent += (size_t)some;
  }
  return true;
}

/* The value of a header that is a whole number; -1 if the answer has no such header. `name` ends with a colon. */
static long header(const char *name) {
  const char *line = strstr(answer, "\r\n");
  while (line != NULL && strncmp(line, "\r\n\r\n", 4) != 0) {
    if (strncasecmp(line + 2, name, strlen(name)) == 0) return strtol(line + 2 + strlen(name), NULL, 10);
    line = strstr(line + 2, "\r\n");
  }
  return -1;
}

/* Reads an answer into `answer`. Returns its status; 0 if it does not come whole. */
static int receive(void) {
  size_t got = 0, whole = sizeof answer;
  bool has_head = false;
  while (got < whole) {
    ssize_t some = recv(server.socket, answer + got, sizeof answer - 1 - got, 0);
    if (some <= 0) return 0;
    got += (size_t)some;
    answer[got] = '\0';
    const char *head_end = strstr(answer, "\r\n\r\n");
    if (has_head || head_end == NULL) continue;
    has_head = true;
    long length = header("content-length:");
    whole = (size_t)(head_end + 4 - answer) + (length < 0 ? 0 : (size_t)length);
    // A proxy may send a body without its length, or a page. The status tells all that a device must know.
    if (length < 0 || whole >= sizeof answer) {
      hang_up();
      break;
    }
  }
  int status = 0;
  return sscanf(answer, "HTTP/1.%*d %d", &status) == 1 ? status : 0;
}

/* Sends a request once. Returns the status of its answer; 0 if none came: whether it took effect is unknown then. */
static int attempt(const char *request) {
  server.attempts++;
  if (now(CLOCK_MONOTONIC).tv_sec - server.used >= IDLE_S) hang_up();
  if (server.socket < 0 && !dial()) return 0;
  int status = send_all(request) ? receive() : 0;
  if (status == 0) hang_up();
  server.used = now(CLOCK_MONOTONIC).tv_sec;
  return status;
}

/* Waits a random part of the limit, so that a fleet does not come back all at once, after what the server asks for. */
static void pause_before_repetition(long limit_ms, int status) {
  long asked_s = status == 0 ? 0 : header("retry-after:");
  long ms = rand() % limit_ms + (asked_s > 0 ? asked_s * 1000 : 0);
  nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

/* Sends a request until it is answered, always the same bytes. If the server refuses it, it would do so again: ends. */
static void post(const char *path, const char *header_line, const char *body) {
  char request[2048];
  int length = snprintf(request, sizeof request,
                        "POST %s HTTP/1.1\r\nHost: %s:%s\r\nX-API-KEY: %s\r\n%sContent-Type: application/json\r\n"
                        "Content-Length: %zu\r\n\r\n%s",
                        path, server.host, server.port, server.key, header_line, strlen(body), body);
  if (length >= (int)sizeof request) die(path, "the request is too long");
  for (long limit_ms = FIRST_PAUSE_MS, failures = 0;; failures++) {
    int status = attempt(request);
    if (status == 200) return;
    if (status != 0 && status != 429 && status < 502) die(path, strstr(answer, "\r\n\r\n") + 4);
    if (failures == 5) fprintf(stderr, "No answer from %s:%s yet; trying on.\n", server.host, server.port);
    pause_before_repetition(limit_ms, status);
    limit_ms = 2 * limit_ms < LONGEST_PAUSE_MS ? 2 * limit_ms : LONGEST_PAUSE_MS;
  }
}

/* ---- The boiler. ---- */

/*
 * What the boiler did in an hour, generated: the symbols of an event as JSON, sorted. Weekends begin late, and now and
 * then a window is open.
 */
static void measure(uint64_t number, char record[256]) {
  uint64_t hour = number % HOURS_A_DAY;
  bool is_weekend = number / HOURS_A_DAY % 7 >= 5;
  const char *flame = "low";
  if (hour >= (is_weekend ? 7 : 5) && hour < 22) flame = "high";
  if (!is_weekend && hour >= 9 && hour < 17) flame = "off";
  bool open = (number * UINT64_C(0x9e3779b97f4a7c15) >> 32) % 20 == 0;
  snprintf(record, 256, "\"flame=%s\",\"hour=%d\"%s", flame, (int)hour, open ? ",\"window=open\"" : "");
}

static bool is_last_hour(uint64_t number) {
  return number % HOURS_A_DAY == HOURS_A_DAY - 1;
}

/* Sends a record. With the same number it counts once. At the end of a day Noema learns the day. */
static void report(const char *session, const char *source, uint64_t number, const char *record) {
  char path[256], body[512], once[256];
  snprintf(path, sizeof path, "%s/observe", session);
  snprintf(body, sizeof body,
           "{\"data\":{\"strings\":[%s]},\"delivery\":{\"source\":\"%s\",\"number\":%" PRIu64 "}}",
           record, source, number);
  post(path, "", body);
  if (!is_last_hour(number)) return;
  // learn takes no number. The key is made of one, so that it is the same after a restart.
  snprintf(path, sizeof path, "%s/learn", session);
  snprintf(once, sizeof once, "Idempotency-Key: %s-%" PRIu64 "\r\n", source, number);
  post(path, once, "");
}

/* Whether Noema expects this record next. */
static bool expects(const char *session, const char *record) {
  char path[256], future[300];
  snprintf(path, sizeof path, "%s/predictions", session);
  post(path, "", "{\"data\":{\"top\":1,\"fields\":[\"future\"]}}");
  snprintf(future, sizeof future, "\"future\":[[%s]", record);
  return strstr(answer, future) != NULL;
}

/* Where the last run has ended: reads the file, and reports its record again. */
static uint64_t resume(const char *file, const char *session, const char *name) {
  uint64_t number;
  char record[256];
  if (!load(file, &number, record)) {
    // Higher than any number that a lost file may have held; after a whole day, so that number % 24 is the hour.
    return (uint64_t)now(CLOCK_REALTIME).tv_sec * 1000 / HOURS_A_DAY * HOURS_A_DAY - 1;
  }
  // It is unknown whether it arrived before the restart. If it did, this changes nothing.
  report(session, name, number, record);
  return number;
}

int main(int count, char **arguments) {
  if (count != 6) die("usage", "NOEMA_API_KEY=<key> device <host> <port> <name of the device> <file> <hours>");
  const char *name = arguments[3], *file = arguments[4], *key = getenv("NOEMA_API_KEY");
  long hours = strtol(arguments[5], NULL, 10);
  // The name becomes part of a path and of JSON.
  if (strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != strlen(name) || strlen(name) > 64) {
    die(name, "a device's name has at most 64 characters, of a to z, 0 to 9 and -");
  }
  if (strlen(file) > 500) die(file, "is too long for the name of a file");
  if (hours < 1) die(arguments[5], "is no number of hours, 1 or more");
  server.host = arguments[1];
  server.port = arguments[2];
  server.key = key != NULL ? key : "ABCD-1234";
  char session[128], record[256];
  snprintf(session, sizeof session, "/P1/sessions/%s", name);
  srand((unsigned)(now(CLOCK_REALTIME).tv_nsec ^ getpid()));

  uint64_t number = resume(file, session, name);
  long expected = 0, asked = 0, days = 0;
  for (long hour = 0; hour < hours; hour++) {
    measure(++number, record);
    // A day begins with an empty memory, from which nothing can be expected.
    if (number % HOURS_A_DAY != 0) {
      expected += expects(session, record);
      asked++;
    }
    store(file, number, record);
    report(session, name, number, record);
    if (!is_last_hour(number)) continue;
    printf("Day %ld: %ld of %ld hours were as expected so far.\n", ++days, expected, asked);
    fflush(stdout);
  }
  printf("Reported %ld generated hours. Requests: %ld, connections: %ld, last number: %" PRIu64 ".\n", hours,
         server.attempts, server.connections, number);
}
