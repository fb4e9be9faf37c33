# A formula for Homebrew. UNTRIED: it was written on Linux, from the documents of Homebrew, and has never been run.
#
# This repository is its own tap:
#
#     brew tap tributary/tributary ADDRESS-OF-THIS-REPOSITORY
#     brew install --HEAD tributary/tributary/tributary
class Tributary < Formula
  desc "Stream JSON dumps of any size into SQLite or PostgreSQL"
  homepage "https://example.org/tributary"
  license "MIT"
  # The clone that `brew tap` has made.
  head "file://#{File.expand_path("..", File.dirname(__FILE__))}", using: :git

  depends_on xcode: ["16.3", :build]
  depends_on "libarchive"
  depends_on "libmicrohttpd"
  depends_on "libpq"
  depends_on macos: :sequoia
  depends_on "sqlite"
  depends_on "xz"
  depends_on "yajl"
  depends_on "zstd"

  uses_from_macos "swift" => :build
  uses_from_macos "bzip2"
  uses_from_macos "curl"
  uses_from_macos "zlib"

  def install
    arguments = ["--disable-sandbox", "-c", "release", "--product", "tributary"]
    arguments << "--static-swift-stdlib" if OS.linux?
    system "swift", "build", *arguments
    bin.install ".build/release/tributary"
    system bin/"tributary", "manual", "--output", man1
    generate_completions_from_executable(bin/"tributary", "completions", shells: [:bash, :zsh, :fish])
  end

  test do
    (testpath/"users.json").write '[{"id": 1, "name": "Lem"}, {"id": 2, "name": "Dick"}]'
    system bin/"tributary", "import", "app.sqlite", "users.json", "--key", "id"
    assert_match "Dick", shell_output("#{bin}/tributary query app.sqlite users")
  end
end
