// A worker: one thread, one loop, its own listeners, pools and channels. Workers share nothing but their
// mailboxes.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <signet/base/chunk_cache.hpp>
#include <signet/http/awaited.hpp>
#include <signet/server/body_buffer.hpp>
#include <signet/server/channel.hpp>
#include <signet/server/io/listener.hpp>
#include <signet/server/io/loop.hpp>
#include <signet/server/io/mailbox.hpp>
#include <signet/server/leases.hpp>
#include <signet/server/log_limit.hpp>
#include <signet/tls/server_settings.hpp>

namespace signet::server {

/// Periods in milliseconds.
struct Periods {
  Ticks handshake = 10'000;  ///< accept to Finished
  Ticks header = 10'000;     ///< first octet of a request to the end of its head
  Ticks record = 20'000;     ///< first to last octet of a TLS record
  Ticks body = 30'000;       ///< since the body's last octet
  Ticks write = 30'000;      ///< since the peer last acknowledged an octet
  Ticks idle = 75'000;       ///< no request begun
  Ticks linger = 2'000;      ///< our end to the peer's
};

/// What all workers have alike.
struct WorkerSettings {
  Service service;
  /// Without an identity there is no TLS.
  tls::ServerSettings tls;
  Periods periods;
  std::size_t connections = 1024;
  std::size_t areas = 64;                      ///< hot receive buffers, and as many hot send buffers
  std::size_t handshakes = 32;                 ///< handshake areas
  std::size_t held = 256;                      ///< held receive buffers, and as many held send buffers
  std::size_t body_memory = 64 * 1024 * 1024;  ///< octets of all body buffers
  Clock clock = monotonic_ticks;
};

class Worker {
 public:
  /// The write timer looks so often in its period.
  static constexpr Ticks write_looks = 4;
  /// Listeners that found no descriptor try again after so many milliseconds, or when one is freed.
  static constexpr Ticks accept_pause = 100;
  /// A peer that keeps a send buffer or an area may take so many milliseconds, more than a few round trips,
  /// before it gives way to others.
  static constexpr Ticks patience = 1000;

  Worker(const WorkerSettings& settings, unsigned index);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker();

  /// Reserves the pools and opens loop and mailbox. False when the system refuses; errno says why.
  [[nodiscard]] bool open();
  /// Before run(): a listener of this worker.
  void add(Listener&& listener) { listeners_.push_back(std::move(listener)); }
  /// Before run(), once all listeners are added. False when the kernel refuses; errno says why.
  [[nodiscard]] bool watch_listeners() noexcept;
  /// Before run(): all workers, this one included. They must live as long.
  void set_peers(std::span<const std::unique_ptr<Worker>> peers) noexcept { peers_ = peers; }

  /// Turns until drained or stopped.
  void run() noexcept;
  /// One pass of the loop: waits for at most `longest` milliseconds (negative: as long as nothing is due).
  void turn(int longest) noexcept;
  [[nodiscard]] bool over() const noexcept { return stopped_ || (draining() && load() == 0); }

  /// From any thread.
  [[nodiscard]] Mailbox& mailbox() noexcept { return mailbox_; }
  /// From any thread: connections here or on their way.
  [[nodiscard]] std::uint32_t load() const noexcept { return load_.load(std::memory_order_relaxed); }

  /// Takes over an accepted descriptor, for which a place was taken.
  void adopt(int fd, const Address& peer) noexcept;

  /// What SIGUSR1 prints: pools with size, free and held, and the counters.
  [[nodiscard]] std::string report() const;
  [[nodiscard]] const Counters& counters() const noexcept { return counters_; }
  [[nodiscard]] std::size_t connections() const noexcept { return channels_.used(); }

  // For channels.

  [[nodiscard]] const Service& service() const noexcept { return settings_.service; }
  [[nodiscard]] Ticks now() const noexcept { return now_; }
  [[nodiscard]] bool draining() const noexcept { return drain_ != Drain::none; }
  [[nodiscard]] Counters& counters() noexcept { return counters_; }
  [[nodiscard]] Loop& loop() noexcept { return loop_; }
  [[nodiscard]] AreaLease& areas() noexcept { return areas_; }
  [[nodiscard]] ReceiveLease& inputs() noexcept { return inputs_; }
  [[nodiscard]] SendLease& outputs() noexcept { return outputs_; }
  [[nodiscard]] const BodyMemory& body_memory() const noexcept { return body_memory_; }
  [[nodiscard]] bool count_body(BodyBuffer& buffer, std::size_t bytes) noexcept;
  void note_body(BodyBuffer& buffer) noexcept { body_memory_.note_progress(buffer, now_); }
  [[nodiscard]] http::Awaiting& awaiting() noexcept { return awaiting_; }
  [[nodiscard]] std::uint32_t index_of(const Channel& channel) const noexcept {
    return static_cast<std::uint32_t>(channels_.index_of(&channel));
  }
  /// The exchange of `channel` that other threads' messages are for; 0: none.
  void set_awaited(const Channel& channel, std::uint64_t exchange) noexcept {
    awaited_[index_of(channel)] = exchange;
  }
  /// Only where there is TLS.
  [[nodiscard]] const tls::Identity& identity() const noexcept { return *settings_.tls.identity; }
  /// Makes a hot buffer held, and answers where its contents are; when there is no room, a slow reader over
  /// its patience that has one gives way, or else the oldest holder of a part, and without both it takes a
  /// hot one's place.
  [[nodiscard]] Received* hold(Received& hot) noexcept;
  /// Makes a send buffer held whose octets the peer does not take; when there is no room, the peer that has
  /// taken nothing for longest gives way, and without one over its patience it takes a hot one's place.
  void hold(Sending& blocked) noexcept;
  [[nodiscard]] WaitQueue& queue_of(Channel::Queue queue) noexcept;
  /// Null for Expect::nothing.
  [[nodiscard]] Timers<Channel, PhaseTag>* timers_of(Expect what) noexcept;
  void arm_record(Channel& channel) noexcept { record_timers_.arm(channel, now_); }
  void arm_write(Channel& channel) noexcept { write_timers_.arm(channel, now_); }
  /// Counts and logs the end; the channel is freed at the end of the turn.
  void on_end(Channel& channel, Cause cause) noexcept;
  void on_tls_failure(Channel& channel, const tls::Failure& failure) noexcept;

 private:
  /// Idle connections end once what they had sent before is looked at.
  enum class Drain : std::uint8_t { none, begun, looked, closing };

  // Accepting.
  void accept_from(Listener& listener, bool busy) noexcept;
  [[nodiscard]] bool accept_one(Listener& listener) noexcept;
  [[nodiscard]] Worker* take_place_somewhere() noexcept;
  [[nodiscard]] bool take_place() noexcept;
  void give_place() noexcept { load_.fetch_sub(1, std::memory_order_relaxed); }
  void hand_over(Worker& target, const Accepted& accepted) noexcept;
  [[nodiscard]] Worker* least_loaded() noexcept;
  [[nodiscard]] bool over_share() const noexcept;
  void pause_listeners() noexcept;
  void resume_listeners() noexcept;
  void close_listeners() noexcept;

  // A turn.
  [[nodiscard]] int wait_for(int longest) noexcept;
  void dispatch(const epoll_event& event, bool busy) noexcept;
  void read_mail() noexcept;
  void read_posts() noexcept;
  void deliver(base::Posted& message) noexcept;
  [[nodiscard]] bool open_posts() noexcept;
  void close_posts() noexcept;
  void run_ready() noexcept;
  void run_signatures() noexcept;
  void expire() noexcept;
  void finish_turn() noexcept;
  void give_way(Lent& lent, Cause cause) noexcept;
  [[nodiscard]] bool end_longest(Lent* longest, Cause cause) noexcept;
  void relieve_inputs(const Channel& newcomer) noexcept;
  void relieve_outputs() noexcept;
  void relieve_areas() noexcept;
  void wake_for(const Lent* first, int& wait) const noexcept;
  void serve_waiters() noexcept;
  void reap() noexcept;
  void begin_drain() noexcept;
  void close_idle() noexcept;
  void end_all() noexcept;
  void trim_when_quiet(bool active) noexcept;
  [[nodiscard]] bool may_log() noexcept;
  void print_report() noexcept;
  [[nodiscard]] Listener* listener_of(const void* tag) noexcept;

  WorkerSettings settings_;
  unsigned index_;
  Ticks now_ = 0;
  Loop loop_;
  Mailbox mailbox_;
  std::vector<Listener> listeners_;
  std::span<const std::unique_ptr<Worker>> peers_;
  std::atomic<std::uint32_t> load_ = 0;

  tls::KeyCache keys_;
  base::Pool<Channel> channels_;
  base::Pool<tls::Connection> cores_;
  AreaLease areas_;
  ReceiveLease inputs_;
  SendLease outputs_;

  base::List<Channel, AllTag> all_;
  WaitQueue ready_;
  WaitQueue signatures_;
  WaitQueue dead_;
  Timers<Channel, PhaseTag> handshake_timers_;
  Timers<Channel, PhaseTag> idle_timers_;
  Timers<Channel, PhaseTag> header_timers_;
  Timers<Channel, PhaseTag> body_timers_;
  Timers<Channel, PhaseTag> linger_timers_;
  Timers<Channel, RecordTag> record_timers_;
  Timers<Channel, WriteTag> write_timers_;

  BodyMemory body_memory_;
  http::Awaiting awaiting_;
  std::unique_ptr<std::uint64_t[], void (*)(void*)>
      awaited_;     // of each session the exchange that is awaited, or 0
  int posts_ = -1;  // readable when other threads sent something

  Counters counters_;
  LogLimit log_limit_;
  Drain drain_ = Drain::none;
  bool stopped_ = false;
  bool paused_ = false;
  bool trimmed_ = true;
  Ticks paused_at_ = 0;
  Ticks active_at_ = 0;
};

}  // namespace signet::server
