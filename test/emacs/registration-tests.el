;;; registration-tests.el --- The catalog as gptel tools  -*- lexical-binding: t; -*-

;;; Commentary:

;; What is registered, under which names, and that nothing else is touched.

;;; Code:

(require 'plugboard-testing)

(defvar gptel--tool-names)
(declare-function gptel-mode "gptel")

;; More than a model could take: all of them are active here, but where a test says otherwise.
(setq plugboard-active-tools-max 1000)

(defun registration--names (buffer)
  "Return the names of the active tools in BUFFER."
  (mapcar #'gptel-tool-name (buffer-local-value 'gptel-tools buffer)))

(ert-deftest registration-names-categories-async ()
  "Every tool is in the register and in the active list, async, with server and risk in front."
  (testing-with-chat
    (let ((tool (gptel-get-tool '("plug-notes" "mcp__notes__create_note"))))
      (should (eq tool (testing-tool-p "mcp__notes__create_note")))
      (should (gptel-tool-async tool))
      (should (string-prefix-p "[notes WRITE] Creates a note." (gptel-tool-description tool)))
      (should (string-prefix-p "[notes] " (gptel-tool-description (testing-tool-p "mcp__notes__get_note"))))
      (should (string-prefix-p "[notes ?] " (gptel-tool-description (testing-tool-p "mcp__notes__frob_note"))))
      (should (= 500 (length (plugboard-tools-names "many")))))))

(ert-deftest registration-in-slices ()
  "Hundreds of tools are registered in slices; how long each blocks is printed."
  (testing-with-chat
    (plugboard-tools-deactivate)
    (setq plugboard-tools--longest 0 plugboard-tools--active t)
    (let ((plugboard-slice-seconds 0.002) (rendered (testing-request "GET" "/v1/tools/rendered?format=anthropic&names=mcp__server__tool"))
          (begin (float-time)))
      (plugboard-tools-take rendered)
      (testing-figure "taking a catalog of %d tools returned after %.1f ms"
                      (length (plist-get rendered :tools)) (* 1000 (- (float-time) begin)))
      (should plugboard-tools--queue)
      (should plugboard-tools--timer)
      (testing-wait "all slices" (lambda () (null plugboard-tools--queue)))
      (should (= 500 (length (plugboard-tools-names "many")))))
    (plugboard-tools-deactivate)
    (setq plugboard-tools--longest 0 plugboard-tools--active t)
    (let ((used 0) (slice (symbol-function 'plugboard-tools--slice)))
      ;; Processor time beside the time on the wall: other tests run on the same machine.
      (cl-letf (((symbol-function 'plugboard-tools--slice)
                 (lambda ()
                   (let ((begin (get-internal-run-time)))
                     (funcall slice)
                     (setq used (max used (float-time (time-subtract (get-internal-run-time) begin))))))))
        (plugboard-tools-refresh)
        (testing-wait "all slices" (lambda () (and (null plugboard-tools--queue)
                                                   (= 500 (length (plugboard-tools-names "many")))))))
      (testing-figure "registering 500 tools blocked %.1f ms at most at a time (%.1f ms of processor time)"
                      (* 1000 plugboard-tools--longest) (* 1000 used)))))

(ert-deftest registration-arguments-by-schema ()
  "Required come first, optional are marked, nested schemas and references are whole."
  (let ((args (plugboard-schema-args
               (plugboard-parse-json
                "{\"type\":\"object\",\"$defs\":{\"p\":{\"type\":\"object\",\"properties\":{\"x\":{\"type\":\"integer\"}}}},
                  \"properties\":{\"maybe\":{\"type\":\"boolean\",\"default\":false},
                  \"kind\":{\"type\":\"string\",\"enum\":[\"a\",\"b\"]},
                  \"points\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/p\"}},
                  \"open\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}},
                  \"self\":{\"$ref\":\"#/properties/self\"},\"any\":{}},\"required\":[\"kind\",\"points\"]}"))))
    (should (equal '("kind" "points" "maybe" "open" "self" "any")
                   (mapcar (lambda (arg) (plist-get arg :name)) args)))
    (should (equal ["a" "b"] (plist-get (nth 0 args) :enum)))
    (should (equal '(:type "integer")
                   (plugboard-get (nth 1 args) :items :properties :x)))
    (should (plist-get (nth 2 args) :optional))
    (should (eq :json-false (plist-get (nth 2 args) :default)))
    (should-not (plist-get (nth 0 args) :optional))
    (should-not (equal "object" (plist-get (nth 3 args) :type)))
    (should (plist-get (nth 5 args) :anyOf))))

(ert-deftest registration-arguments-travel-exactly ()
  "False, empty, nested and left-out arguments reach the server as the model meant them."
  (testing-with-chat
    (testing-request "POST" "/v1/grants" '(:tool "notes/save_form"))
    (testing-call "mcp__notes__save_form"
                  '(:title "ü" :tags [] :deep (:list [1 2.5 (:on :json-false)]) :done :json-false))
    (should (equal (plugboard-parse-json
                    "{\"title\":\"ü\",\"tags\":[],\"deep\":{\"list\":[1,2.5,{\"on\":false}]},\"done\":false}")
                   (plugboard-parse-json (testing-last-args "notes"))))
    (testing-call "mcp__notes__save_form" '(:title "t" :tags ["a"] :deep nil))
    (should (equal "{\"title\":\"t\",\"tags\":[\"a\"],\"deep\":{}}" (testing-last-args "notes")))))

(ert-deftest registration-is-idempotent ()
  "Registering again changes nothing, and duplicates nothing."
  (testing-with-chat
    (let ((before (copy-sequence (default-value 'gptel-tools))) (done nil))
      (add-hook 'plugboard-tools-change-hook (lambda () (setq done t)))
      (plugboard-tools-refresh)
      (testing-wait "the second reading" (lambda () done))
      (setq plugboard-tools-change-hook nil)
      (should (equal (mapcar #'gptel-tool-name before)
                     (mapcar #'gptel-tool-name (default-value 'gptel-tools))))
      (should (cl-every #'eq before (default-value 'gptel-tools))))))

(ert-deftest registration-follows-changes ()
  "A tool that comes is registered, one that goes is removed, in chats too; a chat's own choice stays."
  (testing-with-chat
    (let* ((whole (generate-new-buffer "whole")) (chosen (generate-new-buffer "chosen")) old)
      (with-current-buffer whole (setq-local gptel-tools (default-value 'gptel-tools)))
      (with-current-buffer chosen
        (setq-local gptel-tools (mapcar #'testing-tool-p '("mcp__notes__get_note" "mcp__notes__old_note"))))
      (testing-offer "notes" (lambda (tools)
                               (setq old (seq-filter (lambda (tool) (equal (plist-get tool :name) "old_note")) tools))
                               (vconcat (seq-difference tools old)
                                        [(:name "new_note" :description "New." :inputSchema (:type "object"))])))
      (testing-wait "the new tool" (lambda () (testing-tool-p "mcp__notes__new_note")))
      (testing-wait "the old one to go" (lambda () (not (testing-tool-p "mcp__notes__old_note"))))
      (should-not (ignore-errors (gptel-get-tool '("plug-notes" "mcp__notes__old_note"))))
      (should (member "mcp__notes__new_note" (registration--names whole)))
      (should (equal '("mcp__notes__get_note") (registration--names chosen)))
      ;; What comes back was only away, as the tools of a server that failed.
      (testing-offer "notes" (lambda (tools) (vconcat tools old)))
      (testing-wait "the old one to come back" (lambda () (testing-tool-p "mcp__notes__old_note")))
      (should (member "mcp__notes__old_note" (registration--names whole)))
      (should (equal '("mcp__notes__get_note" "mcp__notes__old_note") (registration--names chosen)))
      (mapc #'kill-buffer (list whole chosen)))))

(ert-deftest registration-too-many-tools ()
  "Chats get a tool that finds and one that calls, which asks as ever; with fewer tools all of them again."
  (let ((plugboard-active-tools-max 100) (chosen (generate-new-buffer "chosen")))
    ;; Also where a chat from a file came first.
    (plugboard-tools-hold '("mcp__notes__get_note"))
    (testing-with-chat
      (with-current-buffer chosen
        (setq-local gptel-tools (list (gptel-get-tool '("plug-notes" "mcp__notes__get_note")))))
      (should (equal '("plugboard_call_tool" "plugboard_find_tools" "plugboard_read_result")
                     (sort (mapcar #'gptel-tool-name (default-value 'gptel-tools)) #'string<)))
      (let ((found (testing-call "plugboard_find_tools" '(:query "create a note"))))
        (should (string-match-p "^mcp__notes__create_note\n\\[notes WRITE\\]" found))
        (should (string-match-p "arguments: {.*\"text\"" found)))
      (let ((before (length (testing-marks "notes")))
            (answers (testing-begin "plugboard_call_tool"
                                    '(:name "mcp__notes__create_note" :arguments (:text "found")))))
        (plugboard-approvals-answer
         (prog1 (plist-get (testing-approval "notes/create_note") :id)
           (should (= before (length (testing-marks "notes")))))
         "allow")
        (should (string-match-p "created" (testing-answer answers)))
        (should (equal "{\"text\":\"found\"}" (testing-last-args "notes"))))
      (dolist (name '("mcp__notes__none" "plugboard_find_tools"))
        (should (string-match-p "there is no tool" (testing-call "plugboard_call_tool"
                                                                 (list :name name :arguments nil)))))
      (setq plugboard-active-tools-max 1000)
      (plugboard-tools-refresh)
      (testing-wait "all tools" (lambda () (testing-tool-p "mcp__many__get_item_499")))
      (should-not (testing-tool-p "plugboard_find_tools"))
      (should (equal '("mcp__notes__get_note") (registration--names chosen)))
      (kill-buffer chosen))))

(ert-deftest registration-chats-from-files ()
  "A saved chat keeps its choice of our tools, though gptel looks for them before the hub has told them."
  (plugboard-mode 1)
  (unwind-protect
      (with-temp-buffer
        (text-mode)
        (setq buffer-file-name (expand-file-name "saved.txt" testing-folder))
        (setq-local gptel--tool-names '("mcp__notes__get_note" "mcp__gone__tool"))
        (should-not (plugboard-hub-open-p))
        (gptel-mode 1)
        (set-buffer-modified-p nil)
        (setq buffer-file-name nil)
        (should (equal '("mcp__notes__get_note" "mcp__gone__tool") (registration--names (current-buffer))))
        (testing-wait "the hub's word"
                      (lambda () (equal '("mcp__notes__get_note") (registration--names (current-buffer)))))
        (should (string-prefix-p "[notes] " (gptel-tool-description (car gptel-tools)))))
    (plugboard-mode -1)))

(ert-deftest registration-leaves-others-alone ()
  "Local tools and those of gptel-integrations survive; a taken name is not taken over."
  (let ((gptel--known-tools nil))
    (setq-default gptel-tools nil)
    (dolist (slots '(("local" "git_log") ("mcp-notes" "get_note") ("mine" "mcp__notes__get_note")))
      (push (gptel-make-tool :category (car slots) :name (cadr slots) :description "Mine" :args nil
                             :function #'ignore)
            (default-value 'gptel-tools)))
    (let ((mine (copy-sequence (default-value 'gptel-tools))))
      (testing-with-chat
        (should (eq (gptel-get-tool '("mine" "mcp__notes__get_note")) (testing-tool-p "mcp__notes__get_note")))
        (should-not (assoc "mcp__notes__get_note" (cdr (assoc "plug-notes" gptel--known-tools))))
        (plugboard-stop-all)
        (should (equal mine (default-value 'gptel-tools)))
        (should-not (testing-tool-p "mcp__notes__create_note"))
        (should (equal '("local" "mcp-notes" "mine")
                       (sort (mapcar #'car gptel--known-tools) #'string<))))
      (setq-default gptel-tools nil))))

(ert-deftest registration-enabled-servers ()
  "Only the chosen servers are registered and started; the doctor expects the others to be absent."
  (testing-request "POST" "/v1/servers/stop-all" '())
  (let ((plugboard-enabled-servers '("notes")))
    (testing-with-chat
      (should (testing-tool-p "mcp__notes__get_note"))
      (should-not (plugboard-tools-names "many"))
      (should (equal "asleep" (plugboard-get (testing-request "GET" "/v1/servers/many") :state :kind)))
      (should (seq-find (lambda (row) (and (equal (plist-get row :server) "many")
                                           (equal (plist-get row :status) "pass")))
                        (plugboard-doctor--own-rows))))))

(ert-deftest registration-profile-and-read-only ()
  "With `plugboard-read-only', only tools that read are offered."
  (let ((plugboard-read-only t))
    (testing-with-chat
      (should (testing-tool-p "mcp__notes__get_note"))
      (should-not (testing-tool-p "mcp__notes__create_note")))))

(provide 'registration-tests)
;;; registration-tests.el ends here
