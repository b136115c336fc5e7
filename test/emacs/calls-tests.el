;;; calls-tests.el --- Every call ends exactly once  -*- lexical-binding: t; -*-

;;; Commentary:

;; Results of all kinds, timeouts, progress and cancellation, with a server
;; that says what reached it.

;;; Code:

(require 'plugboard-testing)

(defun calls--allow (&rest tools)
  "Let TOOLS of the server rich run unasked."
  (dolist (tool tools)
    (should (plist-get (testing-request "POST" "/v1/grants" (list :tool (concat "rich/" tool))) :id))))

(defun calls--file (name)
  "Return the path of NAME in the test's folder."
  (expand-file-name name testing-folder))

(defun calls--text (file)
  "Return what FILE holds, or nothing."
  (if (file-exists-p file) (with-temp-buffer (insert-file-contents file) (buffer-string)) ""))

(ert-deftest calls-texts-are-delimited ()
  "A text comes back whole, between marks that say who said it, exactly once."
  (testing-with-chat
    (calls--allow "echo")
    (let* ((answers (testing-begin "mcp__rich__echo" '(:message "grüße 日本 🙂")))
           (text (testing-answer answers)))
      (should (string-match-p "grüße 日本 🙂" text))
      (should (string-match-p "external data .* begins" text))
      (should (string-match-p "rich/echo" text))
      (should (= 1 (length (cdr answers)))))))

(ert-deftest calls-kinds-of-results ()
  "Pictures, sounds, resources, links, structured content and unknown kinds are kept sensibly."
  (testing-with-chat
    (calls--allow "image" "audio" "resource" "resource_link" "structured" "unknown")
    (let ((text (testing-call "mcp__rich__image" nil)))
      (should (string-match "\\[image/png, [0-9]+ bytes, saved as \\(.*\\.png\\)\\]" text))
      (let ((file (match-string 1 text)))
        (should (string-prefix-p "\x89PNG" (with-temp-buffer (set-buffer-multibyte nil)
                                                             (insert-file-contents-literally file)
                                                             (buffer-string))))
        (should (= #o700 (file-modes (file-name-directory file))))))
    (should (string-match-p "audio/wav" (testing-call "mcp__rich__audio" nil)))
    (should (string-match-p "static text" (testing-call "mcp__rich__resource" nil)))
    (should (string-match-p "test://static" (testing-call "mcp__rich__resource_link" nil)))
    (should (string-match-p "21.5" (testing-call "mcp__rich__structured" '(:city "Oslo"))))
    (should (string-match-p "beside a video" (testing-call "mcp__rich__unknown" nil)))))

(ert-deftest calls-structured-content-alone ()
  "Structured content without a text is shown, delimited."
  (let ((text (plugboard-calls-text '(:server "s" :tool "t" :result (:content [] :structuredContent (:a 1))))))
    (should (string-match-p "external text from s" text))
    (should (string-match-p "{\"a\":1}" text))))

(ert-deftest calls-results-that-cannot-be-shown ()
  "A picture that is none, or a number of any size, ends its call at once with what can be said."
  (let ((plugboard-calls--open nil) done told)
    (cl-letf (((symbol-function 'plugboard-http-request)
               (lambda (_method _path &rest more) (setq done (plist-get more :on-done)) nil)))
      (plugboard-call "t" nil (lambda (text) (push text told)))
      (funcall done '(:server "s" :tool "t" :result (:content [(:type "image" :data "%%%")])) nil)
      (should (= 1 (length told)))
      (should (string-match-p "can't be shown" (car told)))
      (should-not (plugboard-calls-open)))))

(ert-deftest calls-json-that-the-native-parser-refuses ()
  "Numbers of more than 64 bits and halves of characters don't cost the answer; rubbish still does."
  (let ((text "{\"id\":18446744073709551616,\"cut\":\"ab\\ud83d\",\"none\":null,\"list\":[false,{}]}"))
    (should (equal '(:id 18446744073709551616 :cut "ab\ufffd" :none :null :list [:false nil])
                   (plugboard-parse-json text)))
    (should (equal "{\"id\":18446744073709551616,\"list\":[false,{},\"a\"]}"
                   (plugboard-json '(:id 18446744073709551616 :list [:false nil "a"])))))
  (dolist (wrong '("{\"a\":1} b" "{\"a\":18446744073709551616} b" "{\"a\":" ""))
    (should-error (plugboard-parse-json wrong))))

(ert-deftest calls-failures-are-told ()
  "A tool's own failure, a protocol error and bad arguments each come back once, as errors."
  (testing-with-chat
    (calls--allow "refuse" "echo")
    (let ((failing (testing-begin "mcp__rich__fail" nil)))
      (plugboard-approvals-answer (plist-get (testing-approval "rich/fail") :id) "allow")
      (should (string-match-p "reported an error" (testing-answer failing))))
    (should (string-prefix-p "Error" (testing-call "mcp__rich__refuse" nil)))
    (should (string-match-p "bad_arguments" (testing-call "mcp__rich__echo" '(:message 5))))))

(ert-deftest calls-large-results ()
  "A large result is a preview with a handle; its pages can be read."
  (testing-with-chat
    (calls--allow "big")
    (let ((text (testing-call "mcp__rich__big" '(:bytes 2000000))))
      (should (< (length text) 500000))
      (should (string-match "kept whole as \\([a-z0-9_-]+\\)" text))
      (should (string-match-p "xxxx" (testing-call "plugboard_read_result"
                                                   (list :id (match-string 1 text) :page 2))))
      (should (string-prefix-p "Error" (testing-call "plugboard_read_result" '(:id "res_none" :page 1)))))))

(ert-deftest calls-timeout-cancels-and-late-answers-are-dropped ()
  "The timer wins once; the server is told; what comes later is dropped."
  (testing-with-chat
    (calls--allow "hang" "late")
    (let* ((plugboard-call-timeouts '(("mcp__rich__hang" . 0.3) ("mcp__rich__late" . 0.3)))
           (hang (testing-begin "mcp__rich__hang" (list :file (calls--file "hang"))))
           (late (testing-begin "mcp__rich__late" (list :ms 600 :file (calls--file "late")))))
      (should (string-match-p "took longer than 0.3 s" (testing-answer hang)))
      (should (string-match-p "took longer than 0.3 s" (testing-answer late)))
      (testing-wait "the server to hear of it"
                    (lambda () (or (string-match-p "cancelled" (calls--text (calls--file "hang")))
                                   ;; On a busy machine the time was over before the call began.
                                   (not (file-exists-p (calls--file "hang.begun"))))))
      (calls--allow "echo")
      (testing-call "mcp__rich__echo" '(:message "afterwards"))
      (should (= 1 (length (cdr hang))))
      (should (= 1 (length (cdr late)))))))

(ert-deftest calls-progress-extends ()
  "A call that reports progress outlives its timeout."
  (testing-with-chat
    (calls--allow "slow")
    (let ((plugboard-call-timeout 2))
      (should (string-match-p "done after 30 steps"
                              (testing-call "mcp__rich__slow" '(:ms 3000 :steps 30)))))))

(ert-deftest calls-quit-cancels-at-the-server ()
  "Quitting in the chat, and `gptel-abort', cancel the calls of that chat at their server."
  (testing-with-chat
    (calls--allow "hang")
    (dolist (quit (list (lambda () (condition-case nil (keyboard-quit) (quit nil)))
                        (lambda () (gptel-abort (current-buffer)))))
      (let* ((file (calls--file (format "quit-%s" (random))))
             (answers (testing-begin "mcp__rich__hang" (list :file file))))
        (testing-wait "the call to begin" (lambda () (file-exists-p (concat file ".begun"))))
        (with-temp-buffer (funcall (lambda () (condition-case nil (keyboard-quit) (quit nil)))))
        (should-not (cdr answers))
        (funcall quit)
        (should (string-match-p "canceled by the user" (testing-answer answers)))
        (testing-wait "the server to hear of it"
                      (lambda () (string-match-p "cancelled" (calls--text file))))
        (should (= 1 (length (cdr answers))))))))

(ert-deftest calls-of-a-hub-that-dies ()
  "A call whose hub goes away ends once, and doesn't claim that nothing was done."
  (let* ((hub (make-network-process :name "dying hub" :server t :noquery t :host "127.0.0.1" :service t
                                    :filter (lambda (process _text)
                                              (process-send-string process "HTTP/1.1 200 OK\r\ncontent-type: text/ev")
                                              (delete-process process))))
         (plugboard-url (format "http://127.0.0.1:%d" (process-contact hub :service)))
         (plugboard-token-file (calls--file "token"))
         (told nil))
    (unwind-protect
        (progn
          (with-temp-file plugboard-token-file (insert "token"))
          (plugboard-call "t" nil (lambda (text) (push text told)))
          (testing-wait "the end" (lambda () told))
          (should (string-match-p "hub_unavailable.*may or may not have been done" (car told)))
          (should-not (plugboard-calls-open))
          (should (= 1 (length told))))
      (delete-process hub))))

(ert-deftest calls-callbacks-that-fail ()
  "An error in gptel's callback stays there; the next call works."
  (testing-with-chat
    (calls--allow "echo")
    (let (told)
      (plugboard-call "mcp__rich__echo" '(:message "a") (lambda (_) (setq told t) (error "Broken")))
      (testing-wait "the callback" (lambda () told)))
    (should (string-match-p "again" (testing-call "mcp__rich__echo" '(:message "again"))))
    (should-not (plugboard-calls-open))))

(ert-deftest calls-end-once-however-often-they-are-ended ()
  "Of answer, error and timer, the first counts."
  (let* ((told 0)
         (call (plugboard-call--make :tool "t" :buffer (current-buffer)
                                     :callback (lambda (_) (cl-incf told)))))
    (plugboard-calls-finish call "one")
    (plugboard-calls-finish call "two")
    (should (= 1 told))))

(provide 'calls-tests)
;;; calls-tests.el ends here
