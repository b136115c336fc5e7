;;; questions-tests.el --- What servers ask is answered here  -*- lexical-binding: t; -*-

;;; Commentary:

;; Elicitation and sampling of a server during a call of this Emacs.

;;; Code:

(require 'plugboard-testing)

(defun questions--during (tool answer)
  "Call TOOL of rich, let ANSWER answer its question, and return what the tool says."
  (testing-request "POST" "/v1/grants" (list :tool (concat "rich/" tool)))
  (let* ((answers (testing-begin (concat "mcp__rich__" tool) nil))
         (question (testing-wait "the question" (lambda () (car (plugboard-questions-open))))))
    (with-current-buffer (plugboard-questions--render (plist-get question :requestId))
      (should (string-match-p "\\`The server rich asks" (buffer-string)))
      (funcall answer))
    (prog1 (testing-answer answers)
      (testing-wait "the question to go" (lambda () (null (plugboard-questions-open)))))))

(ert-deftest questions-form ()
  "A form is filled in and reaches the server."
  (testing-with-chat
    (cl-letf (((symbol-function 'read-string) (lambda (&rest _) "Ada")))
      (should (string-match-p "accept.*Ada" (questions--during "ask" #'plugboard-questions-reply))))))

(ert-deftest questions-fields ()
  "Numbers are asked for until they are some; choices are shown by their titles; what is optional may be left out."
  (cl-flet ((ask (field required &rest typed)
              (cl-letf (((symbol-function 'read-string) (lambda (&rest _) (pop typed)))
                        ((symbol-function 'completing-read) (lambda (&rest _) (pop typed)))
                        ((symbol-function 'completing-read-multiple) (lambda (&rest _) typed)))
                (plugboard-questions--field "f" field required))))
    (should (equal 12 (ask '(:type "integer") t "many" "1.5" "" "12")))
    (should (equal -0.5 (ask '(:type "number") t "-" "-0.5")))
    (should (eq 'absent (ask '(:type "number") nil "")))
    (should (equal "r" (ask '(:type "string" :oneOf [(:const "r" :title "Red") (:const "g" :title "Green")]) t "Red")))
    (should (equal "b" (ask '(:type "string" :enum ["a" "b"] :enumNames ["A" "B"]) t "B")))
    (should (equal ["r"] (ask '(:type "array" :items (:anyOf [(:const "r" :title "Red")])) t "Red")))
    (should (eq 'absent (ask '(:type "array" :items (:enum ["r"])) nil)))
    (should (eq 'absent (ask '(:type "string") nil "")))))

(ert-deftest questions-decline ()
  "A question can be declined."
  (testing-with-chat
    (should (string-match-p "decline" (questions--during "ask" #'plugboard-questions-decline)))))

(ert-deftest questions-page ()
  "A page is opened by the person, and only then accepted."
  (testing-with-chat
    (let (opened)
      (cl-letf (((symbol-function 'browse-url) (lambda (url &rest _) (setq opened url))))
        (should (string-match-p "accept" (questions--during "ask-url"
                                                            (lambda ()
                                                              (plugboard-questions-browse)
                                                              (plugboard-questions-reply)))))
        (should (equal "https://example.com/consent" opened))))))

(ert-deftest questions-sampling ()
  "A server gets an answer of the user's model only after a yes, or a refusal."
  (testing-with-chat
    (let ((asked nil))
      (cl-letf (((symbol-function 'gptel-request)
                 (cl-function (lambda (prompt &key callback &allow-other-keys)
                                (setq asked prompt)
                                (funcall callback "Hello from the model." nil)))))
        (should (string-match-p "Hello from the model" (questions--during "sample" #'plugboard-questions-reply)))
        (should (string-match-p "Say hello" asked))
        (setq asked nil)
        (should (string-match-p "refused" (questions--during "sample" #'plugboard-questions-decline)))
        (should-not asked)))))

(provide 'questions-tests)
;;; questions-tests.el ends here
