<?php
/** WooCommerce's classes for payment methods and their settings, as far as the plugin uses them. */

final class WC_Admin_Settings {
	public static function add_error( string $text ): void {
		Stubs::$errors[] = $text;
	}
}

/** Stores settings like WC_Settings_API: the value of each field passes through the validate method of the field. */
abstract class WC_Payment_Gateway {
	public $id;
	public $has_fields;
	public $method_title;
	public $method_description;
	public $supports    = array( 'products' );
	public $title;
	public $icon;
	public $description;
	public $form_fields = array();
	public $settings    = array();

	public function init_settings() {
		$defaults = array();
		foreach ( $this->form_fields as $key => $field ) {
			$defaults[ $key ] = $field['default'] ?? '';
		}
		$this->settings = (array) get_option( "woocommerce_{$this->id}_settings", array() ) + $defaults;
	}

	public function get_option( $key ) {
		return $this->settings[ $key ] ?? '';
	}

	public function get_field_key( $key ) {
		return "woocommerce_{$this->id}_$key";
	}

	public function get_post_data() {
		return $_POST;
	}

	public function process_admin_options() {
		foreach ( $this->form_fields as $key => $field ) {
			$value = $_POST[ $this->get_field_key( $key ) ] ?? null;
			foreach ( array( "validate_{$key}_field", "validate_{$field['type']}_field" ) as $validate ) {
				if ( is_callable( array( $this, $validate ) ) ) {
					$value = $this->$validate( $key, $value );
					break;
				}
			}
			$this->settings[ $key ] = $value;
		}
		update_option( "woocommerce_{$this->id}_settings", $this->settings );
		return true;
	}

	/** A browser sends nothing for a box that is not ticked. */
	public function validate_checkbox_field( $key, $value ) {
		return null === $value ? 'no' : 'yes';
	}

	public function admin_options() {
		$rows = '';
		foreach ( $this->form_fields as $key => $field ) {
			$generate = "generate_{$field['type']}_html";
			$rows    .= is_callable( array( $this, $generate ) ) ? $this->$generate( $key, $field ) : $this->row( $key, $field );
		}
		echo '<p>' . esc_html( $this->method_description ) . "</p><table class=\"form-table\">$rows</table>";
	}

	private function row( string $key, array $field ): string {
		$value = $this->get_option( $key );
		$input = '<input type="text" value="' . esc_attr( is_array( $value ) ? implode( ', ', $value ) : $value ) . '" />';
		if ( 'checkbox' === $field['type'] ) {
			$input = '<label><input type="checkbox"' . ( 'yes' === $value ? ' checked' : '' ) . ' /> ' . esc_html( $field['label'] ) . '</label>';
		}
		return '<tr><th scope="row">' . esc_html( $field['title'] ) . "</th><td>$input<p class=\"description\">" . esc_html( $field['description'] ?? '' ) . '</p></td></tr>';
	}

	public function is_available() {
		return 'yes' === $this->get_option( 'enabled' );
	}

	public function supports( $feature ) {
		return in_array( $feature, $this->supports, true );
	}

	public function can_refund_order( $order ) {
		return $order && $this->supports( 'refunds' );
	}

	public function get_title() {
		return apply_filters( 'woocommerce_gateway_title', $this->title, $this->id );
	}

	public function get_description() {
		return $this->description;
	}

	public function get_return_url( $order ) {
		return $order->get_checkout_order_received_url();
	}
}
