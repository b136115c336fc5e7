;;; plugboard-testing.el --- What the suites share  -*- lexical-binding: t; -*-

;;; Commentary:

;; A suite runs in a batch Emacs against a real hub with real servers, which
;; emacs-world.ts has prepared.  With a real gptel on the load path the same tests
;; go through its dispatcher; else through the stand-in's.

;;; Code:

;; Tests put functions of their own in the place of primitives.  Compiling a
;; trampoline for each would take longer than the tests.
(defvar native-comp-enable-subr-trampolines)
(defvar native-comp-deferred-compilation)
(setq native-comp-enable-subr-trampolines nil native-comp-deferred-compilation nil)

(require 'cl-lib)
(require 'ert)
(require 'gptel)
(require 'plugboard)
(require 'plugboard-audit)
(require 'plugboard-doctor)
(require 'plugboard-servers)

(declare-function gptel-standin-dispatch "gptel")
(declare-function gptel--handle-tool-use "ext:gptel-request")
(declare-function gptel--handle-pre-tool "ext:gptel")
(declare-function gptel-make-fsm "ext:gptel-request")
(declare-function gptel-make-openai "ext:gptel-openai")

(defconst testing-real-gptel (fboundp 'gptel--handle-tool-use))
;; A real gptel makes its default backend with this when a chat is opened.
(when testing-real-gptel (require 'gptel-openai))

(defconst testing-folder (file-name-as-directory (getenv "PLUG_TEST_FOLDER")))
(defconst testing-seconds (* 3 (string-to-number (or (getenv "PLUG_TEST_PATIENCE") "1"))))

(setq plugboard-command (split-string (getenv "PLUG_TEST_COMMAND") "\n")
      plugboard-start-hub nil)

(defun testing-wait (what condition)
  "Wait for WHAT: until CONDITION, a function, returns non-nil; return that."
  (let ((end (+ (float-time) testing-seconds)) value)
    (while (and (not (setq value (funcall condition))) (< (float-time) end))
      (accept-process-output nil 0.01))
    (or value (error "Not in time: %s" what))))

(defun testing-figure (format &rest arguments)
  "Print a figure, FORMAT with ARGUMENTS, for whoever runs the suite."
  (princ (concat "figure: " (apply #'format format arguments) "\n") #'external-debugging-output))

(defun testing-request (method path &optional body)
  "Ask the hub for METHOD PATH with BODY and wait for the answer."
  (let (done answer)
    (plugboard-http-request method path :body body :role 'tests
                            :on-done (lambda (value problem)
                                       (setq done t answer (or value problem))))
    (testing-wait path (lambda () done))
    answer))

(defun testing-begin (name args)
  "Call the tool NAME with ARGS as a model would; return a list of answers to come.
Its car is the symbol `answers'; each answer is appended."
  (let ((answers (list 'answers)))
    (testing--dispatch name args (lambda (text) (nconc answers (list text))))
    answers))

(defun testing--dispatch (name args callback)
  "Let gptel, real or not, run NAME with ARGS and answer CALLBACK."
  (if (not testing-real-gptel)
      (gptel-standin-dispatch name args callback)
    (testing--dispatch-real name args callback)))

(defun testing--dispatch-real (name args callback)
  "Run NAME with ARGS through the dispatcher of a real gptel, for CALLBACK."
  (let* ((use (list (list :name name :args args :id "1")))
         (fsm (gptel-make-fsm
               :state 'TOOL :table '((TOOL . ((t . DONE))))
               :handlers `((DONE ,(lambda (_) (funcall callback (plist-get (car use) :result)))))
               :info (list :buffer (current-buffer) :backend (testing--backend) :tools gptel-tools
                           :tool-use use
                           :callback (lambda (response _info)
                                       (pcase response
                                         (`(tool-call . ,calls) (testing--confirm calls))))))))
    (gptel--handle-pre-tool fsm)
    (unless (plist-get (car use) :result) (gptel--handle-tool-use fsm))))

(defun testing--backend ()
  "Return a backend of a real gptel, which nothing is sent to."
  (gptel-make-openai "nobody" :host "127.0.0.1:1" :protocol "http" :key "none" :models '(none)))

(defvar testing-confirmations nil "Names of tools for which gptel asked, with a real one.")

(defun testing--confirm (calls)
  "Say yes to CALLS, for which gptel asks."
  (pcase-dolist (`(,tool ,args ,process) calls)
    (push (gptel-tool-name tool) testing-confirmations)
    (apply (gptel-tool-function tool) process
           (mapcar (lambda (arg) (plist-get args (intern (concat ":" (plist-get arg :name)))))
                   (gptel-tool-args tool)))))

(defun testing-answer (answers)
  "Wait for the first of ANSWERS and return it."
  (testing-wait "an answer" (lambda () (cdr answers)))
  (cadr answers))

(defun testing-call (name args)
  "Call NAME with ARGS and return its answer."
  (testing-answer (testing-begin name args)))

(defun testing-marks (server)
  "Return what reached SERVER, a played server: a list of tool names."
  (let ((file (expand-file-name (concat server ".json.calls") testing-folder)))
    (when (file-exists-p file)
      (with-temp-buffer
        (insert-file-contents file)
        (mapcar (lambda (line) (plist-get (plugboard-parse-json line) :name))
                (split-string (buffer-string) "\n" t))))))

;; A played server reads its tools from its file, and says when they change.
(defun testing-offer (server change)
  "Let SERVER offer what CHANGE makes of its tools."
  (let* ((file (expand-file-name (concat server ".json") testing-folder))
         (tools (with-temp-buffer (insert-file-contents file) (plugboard-parse-json (buffer-string)))))
    (with-temp-file file (insert (plugboard-json (funcall change tools))))))

(defun testing-last-args (server)
  "Return the arguments of the last call that reached SERVER, as JSON text."
  (with-temp-buffer
    (insert-file-contents (expand-file-name (concat server ".json.calls") testing-folder))
    (plugboard-json (plist-get (plugboard-parse-json (car (last (split-string (buffer-string) "\n" t))))
                               :args))))

(defun testing-approval (ref)
  "Wait for the approval of REF, server/tool, and return it."
  (testing-wait (format "the approval of %s" ref)
                (lambda () (seq-find (lambda (each) (equal (plugboard-card-tool each) ref))
                                     (plugboard-approvals-waiting)))))

(defun testing-tool-p (name)
  "Return the active tool NAME, or nil."
  (cl-find name (default-value 'gptel-tools) :key #'gptel-tool-name :test #'equal))

(defun testing-settled-p ()
  "Return non-nil when no server is starting and all tools are registered."
  (and (plugboard-hub-loaded-p) (not (eq (plugboard-hub-overall) 'starting))
       (not (eq (plugboard-hub-overall) 'idle))
       (null plugboard-tools--queue) (null plugboard-tools--refresh)))

(defmacro testing-with-chat (&rest body)
  "Run BODY in a chat, with servers started and every tool registered."
  (declare (indent 0))
  `(progn
     (plugboard-mode 1)
     (unwind-protect
         (progn
           (plugboard-ensure-started)
           (testing-wait "servers and tools" (lambda () (and (testing-settled-p)
                                                              plugboard-questions--host
                                                              (> (plugboard-tools-count) 0))))
           (with-temp-buffer ,@body))
       (plugboard-mode -1))))

(defun testing-seen (&rest functions)
  "Return all text that a person can see after FUNCTIONS ran: buffers and messages."
  (mapc #'funcall functions)
  (mapconcat (lambda (buffer) (with-current-buffer buffer (buffer-string))) (buffer-list) "\n"))

(provide 'plugboard-testing)
;;; plugboard-testing.el ends here
