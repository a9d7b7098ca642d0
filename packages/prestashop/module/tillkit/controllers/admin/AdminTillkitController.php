<?php
/** Answers the buttons of the order page and of the settings. The shop has checked the token of the address, and that this person may open the tab. */

defined( '_PS_VERSION_' ) || exit;

class AdminTillkitController extends ModuleAdminController {

	public function __construct() {
		$this->bootstrap = true;
		parent::__construct();
	}

	/** Whoever comes back from the checkout server has no token, which belongs to one person. They are only led on to the settings. */
	public function checkToken() {
		return $this->leads_to_settings() || parent::checkToken();
	}

	private function leads_to_settings(): bool {
		return 'GET' === $_SERVER['REQUEST_METHOD'] && 'settings' === tillkit_requested( 'action' );
	}

	/** What the actions answer to order-panel/buttons.js. */
	public function postProcess(): void {
		if ( $this->leads_to_settings() ) {
			$query = array( 'configure' => 'tillkit', 'tillkit_paired' => tillkit_requested( 'tillkit_paired' ) );
			tillkit_redirect( $this->context->link->getAdminLink( 'AdminModules', true, array(), $query ) );
		}
		$action  = tillkit_requested( 'action' );
		$may     = $this->access( 'edit' );
		$answers = array(
			'order'   => static function () use ( $may ): array {
				$purpose = tillkit_requested( 'purpose' );
				// A person who may only look can look.
				return tillkit_answer_panel( tillkit_requested( 'order' ), $may || 'check' === $purpose ? $purpose : 'status' );
			},
			'health'  => static function (): array {
				return array( 'html' => tillkit_health_html( tillkit_newest_order(), tillkit_doctor_results(), time() ) );
			},
			'preview' => static function (): array {
				return array( 'html' => tillkit_preview_html( tillkit_newest_order() ) );
			},
			'moved'   => static function (): array {
				$answer = tillkit_say_installation( 'moved' );
				return $answer instanceof Tillkit_Error ? array( 'html' => tillkit_warning_html( $answer ) ) : tillkit_reload_answer();
			},
			'copy'    => static function (): array {
				tillkit_end_copied_connection();
				return tillkit_reload_answer();
			},
		);
		if ( isset( $answers[ $action ] ) && 'POST' === $_SERVER['REQUEST_METHOD'] && ( $may || 'order' === $action ) ) {
			tillkit_send_json( 200, $answers[ $action ]() );
		}
	}

	/** The pages behind the buttons of the connection. */
	public function initContent(): void {
		$action = tillkit_requested( 'action' );
		$html   = '';
		if ( 'open' === $action ) {
			$url  = tillkit_owner_pages_url( (string) (int) $this->context->employee->id, $this->access( 'edit' ) ? 'owner' : 'viewer' );
			$html = $url instanceof Tillkit_Error ? tillkit_warning_html( $url ) : '';
			if ( '' === $html ) {
				tillkit_redirect( $url );
			}
		} elseif ( 'pair' === $action && $this->access( 'edit' ) ) {
			tillkit_host()->save( 'settings_url', tillkit_settings_url() );
			$html = tillkit_pairing_page_html( tillkit_host()->site_address(), time() );
		} elseif ( 'disconnect' === $action && $this->access( 'edit' ) ) {
			$html = 'POST' === $_SERVER['REQUEST_METHOD'] ? $this->disconnect() : $this->disconnect_form();
		}
		$this->content .= tillkit_panel_html( 'Tillkit', $html );
		parent::initContent();
	}

	private function disconnect(): string {
		$answer = tillkit_call_checkout_server( 'disconnect', array( 'language' => tillkit_host()->language() ) );
		if ( $answer instanceof Tillkit_Error ) {
			return tillkit_warning_html( $answer );
		}
		$has_left = 'left' === tillkit_text_field( $answer, 'state' );
		tillkit_forget_connection( $has_left );
		return tillkit_notice_html( tillkit_connection_text( $has_left ? 'left' : 'leaving' ) );
	}

	private function disconnect_form(): string {
		$text = tillkit_text( 'Shoppers no longer see this payment method. The checkout server wipes the key of the payment service as soon as payments in progress are finished; after that, nothing can be refunded from this shop.' );
		$first = tillkit_text( 'Download your payments first: open my payments, then Export. Orders and their notes stay in this shop.' );
		return '<p>' . tillkit_html( $text ) . '</p><p>' . tillkit_html( $first ) . '</p><form method="post"><button class="btn btn-danger">' . tillkit_html( tillkit_text( 'Disconnect' ) ) . '</button></form>';
	}
}
